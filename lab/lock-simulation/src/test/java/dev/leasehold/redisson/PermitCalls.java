package dev.leasehold.redisson;

import java.util.List;
import java.util.random.RandomGenerator;

/** The semaphore scripts with the arguments that {@link PermitView} passes. */
final class PermitCalls {
  private PermitCalls() {}

  /** One of them, as a command with its text. */
  static List<String> eval(
      RedissonScript script, String lock, String token, String ttl, RandomGenerator random) {
    Keys keys = new Keys(lock, lock);
    List<String> all = List.of(lock, keys.permitEnds(), keys.permitChannel(), keys.permitDoor());
    String of = random.nextInt(8) == 0 ? "2" : "3";
    return switch (script) {
      case PERMITS_ACQUIRE ->
          AdapterScripts.eval(
              script,
              List.of(
                  lock,
                  keys.permitEnds(),
                  keys.permitChannel(),
                  keys.permitDoor(),
                  keys.gone(token)),
              List.of(
                  token,
                  ttl,
                  Integer.toString(1 + random.nextInt(2)),
                  of,
                  random.nextBoolean() ? "1" : "0",
                  "PUBLISH"));
      case PERMITS_RENEW ->
          AdapterScripts.eval(
              script,
              List.of(keys.permitEnds(), "l0"),
              List.of(token, ttl, token, ttl, random.nextBoolean() ? "1" : "0"));
      case PERMITS_COUNT -> AdapterScripts.eval(script, all, List.of());
      case PERMITS_RESIZE ->
          AdapterScripts.eval(
              script, all, List.of(of, random.nextInt(4) == 0 ? "2" : "3", "PUBLISH"));
      default -> AdapterScripts.eval(script, all, List.of(token, "PUBLISH"));
    };
  }
}
