package dev.leasehold.redis.set;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.redis.common.ClientAnswers;
import dev.leasehold.redis.common.CompareAndDelete;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.redis.common.ScriptCheck;
import dev.leasehold.redis.set.Pipeline.Step;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/** Checks whether scripts are permitted, or what can be used instead. */
final class ScriptProbe {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private ScriptProbe() {}

  /**
   * Checks. Blocks.
   *
   * @throws dev.leasehold.lock.LockConfigurationException if they are not
   */
  static void check(LettuceRedis redis, RedisSetMode mode, boolean fair) {
    ScriptCheck.check(
        fair
            ? RedisSettings.FAIR.key() + " = true"
            : RedisSetSettings.MODE.key() + " = " + RedisSettings.id(mode),
        (command, script) -> run(redis, command, script));
  }

  /** Any node of a cluster will do. */
  private static void run(LettuceRedis redis, String command, byte[] script) {
    List<Step> step = List.of(Step.of(CommandType.valueOf(command), script, new byte[] {'0'}));
    ask(new Pipeline<>(redis, "run scripts for", "*", new byte[0], step, replies -> true));
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

  /** Whether it was answered; the first lock will report that it was not. */
  private static boolean ask(Pipeline<Boolean> call) {
    try {
      return ClientAnswers.within(PATIENCE, call.send());
    } catch (CompletionException e) {
      if (e.getCause() instanceof LockStoreException answer) {
        throw answer;
      }
      return false;
    }
  }
}
