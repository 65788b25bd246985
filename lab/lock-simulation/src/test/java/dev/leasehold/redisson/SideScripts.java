package dev.leasehold.redisson;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/** The scripts of read/write locks with the arguments that {@link SideView} passes. */
final class SideScripts {
  private SideScripts() {}

  /** One of them, as a command with its text. */
  static List<String> eval(
      RedissonScript script, String lock, String token, String ttl, RandomGenerator random) {
    Keys keys = new Keys(lock, lock);
    boolean writes = random.nextInt(3) == 0;
    String holder = writes ? token + ":write" : token;
    String mode = writes ? "w" : "r";
    List<String> all =
        List.of(lock, keys.ends(), keys.sidesChannel(), keys.endOf(holder), keys.sidesFences());
    return switch (script) {
      case SIDES_ACQUIRE -> {
        String beside = random.nextBoolean() ? "" : token + ":write";
        List<String> arguments = new ArrayList<>(List.of(holder, ttl, mode, beside));
        arguments.addAll(Collections.nCopies(9, ""));
        arguments.add(random.nextBoolean() ? "0" : "1000");
        List<String> known = new ArrayList<>(all);
        known.add(keys.gone(token));
        yield AdapterScripts.eval(script, known, arguments);
      }
      case SIDES_RELEASE ->
          AdapterScripts.eval(
              script,
              all,
              random.nextBoolean()
                  ? List.of(holder, "PUBLISH")
                  : List.of(holder, "PUBLISH", "9007199254740001", "9007199254740989"));
      case SIDES_RENEW ->
          AdapterScripts.eval(
              script,
              List.of(lock, keys.endOf(holder), "l0", keys.endOf(holder)),
              List.of(holder, ttl, holder, ttl, random.nextBoolean() ? "1" : "0"));
      default ->
          AdapterScripts.eval(
              script, List.of(lock, keys.ends(), keys.sidesFences()), List.of(mode));
    };
  }
}
