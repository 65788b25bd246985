package dev.leasehold.redisson;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The latch scripts with the arguments that {@link RedissonLatchView} passes, and the operations of
 * plain clients.
 */
final class LatchCalls {
  private LatchCalls() {}

  /** One of them, as a command with its text. */
  static List<String> eval(
      RedissonScript script, String lock, String token, String ttl, RandomGenerator random) {
    Keys keys = new Keys(lock, lock);
    if (random.nextInt(8) == 0) {
      return theirs(keys, random);
    }
    List<String> all = List.of(lock, keys.latchRound(), keys.latchCounted());
    List<String> arguments =
        switch (script) {
          case LATCH_OPEN ->
              List.of(
                  token + random.nextInt(4),
                  Integer.toString(1 + random.nextInt(3)),
                  ttl,
                  "PUBLISH",
                  keys.latchChannel());
          case LATCH_COUNT_DOWN ->
              List.of(Integer.toString(random.nextInt(200)), "PUBLISH", keys.latchChannel());
          default -> List.of("PUBLISH", keys.latchChannel());
        };
    return AdapterScripts.eval(script, all, arguments);
  }

  /** What plain clients, or time, do to a latch. */
  private static List<String> theirs(Keys keys, RandomGenerator random) {
    return switch (random.nextInt(8)) {
      case 0, 1 -> List.of("SET", keys.lock(), Integer.toString(random.nextInt(4)));
      case 2, 3 -> List.of("DEL", keys.lock());
      case 4 -> List.of("INCRBY", keys.lock(), "-1");
      case 5 -> List.of("SET", keys.lock(), "no number");
      case 6 -> List.of("DEL", keys.latchRound(), keys.lock());
      default -> List.of("PEXPIRE", keys.latchRound(), "149000"); // expired, and remembered
    };
  }
}
