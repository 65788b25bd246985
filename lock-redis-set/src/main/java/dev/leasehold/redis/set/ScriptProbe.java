package dev.leasehold.redis.set;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.redis.common.ScriptCheck;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.CommandType;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Checks whether scripts are permitted. */
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
  static void check(LettuceRedis redis, RedisSetMode mode) {
    ScriptCheck.check(
        RedisSetSettings.MODE.key() + " = " + mode.name().toLowerCase(Locale.ROOT),
        () -> new ScriptProbe(redis, CommandType.EVALSHA, ScriptCheck.unknownSha()).ask(),
        () -> new ScriptProbe(redis, CommandType.EVAL, ScriptCheck.body()).ask());
  }

  private void ask() {
    try {
      send().get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LockStoreException answer) {
        throw answer;
      }
    } catch (TimeoutException e) {
      cancel(true); // the first lock will report it
    } catch (InterruptedException e) {
      cancel(true);
      Thread.currentThread().interrupt();
    }
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
