package dev.leasehold.redis.set;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.redis.common.CompareAndDelete;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.redis.common.ScriptCheck;
import dev.leasehold.redis.set.Pipeline.Step;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Checks whether scripts are permitted, or what can be used instead. */
final class ScriptProbe extends PendingCommand<Long, Long> {
  private static final int SECONDS = 2;

  private ScriptProbe(LettuceRedis redis, CommandType how, byte[] script) {
    super(
        redis,
        "run scripts for",
        "*",
        how,
        new IntegerOutput<>(ByteArrayCodec.INSTANCE),
        args().add(script).add(0));
  }

  /**
   * Checks. Blocks.
   *
   * @throws dev.leasehold.lock.LockConfigurationException if they are not
   */
  static void check(LettuceRedis redis, RedisSetMode mode, boolean fair) {
    ScriptCheck.check(
        fair
            ? RedisSettings.FAIR.key() + " = true"
            : RedisSetSettings.MODE.key() + " = " + mode.name().toLowerCase(Locale.ROOT),
        () -> new ScriptProbe(redis, CommandType.EVALSHA, ScriptCheck.unknownSha()).ask(),
        () -> new ScriptProbe(redis, CommandType.EVAL, ScriptCheck.body()).ask());
  }

  /**
   * The compare-and-delete that the server has and this user may send. Blocks.
   *
   * @param key of no lock
   */
  static Optional<CompareAndDelete> compareAndDelete(LettuceRedis redis, byte[] key) {
    return Stream.of(CompareAndDelete.values())
        .filter(
            command -> {
              Pipeline<Boolean> call =
                  new Pipeline<>(
                      redis,
                      "compare and delete for",
                      "*",
                      List.of(
                          Step.of(CommandType.TIME),
                          Step.of(CommandType.GET, key),
                          Step.of(CommandType.PTTL, key),
                          Step.delete(command, key, "none")),
                      replies -> true);
              try {
                return ask(call);
              } catch (LockStoreException e) {
                if (e.kind() == LockStoreException.Kind.REFUSED) {
                  return false;
                }
                throw e;
              }
            })
        .findFirst();
  }

  private void ask() {
    ask(this);
  }

  /** Whether it was answered; the first lock will report that it was not. */
  private static boolean ask(PendingCommand<?, ?> call) {
    try {
      call.send().get(SECONDS, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LockStoreException answer) {
        throw answer;
      }
    } catch (TimeoutException e) {
      call.cancel(true);
    } catch (InterruptedException e) {
      call.cancel(true);
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** Any node of a cluster will do. */
  @Override
  byte[] routingKey() {
    return new byte[0];
  }

  @Override
  Long meaning(Long reply) {
    return reply;
  }
}
