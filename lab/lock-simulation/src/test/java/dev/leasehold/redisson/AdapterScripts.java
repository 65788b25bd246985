package dev.leasehold.redisson;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** The adapter's scripts with the arguments that {@link RLockStore} and the other stores pass. */
public final class AdapterScripts {
  private AdapterScripts() {}

  /** Their names. */
  public static List<String> names() {
    return List.of(RedissonScript.values()).stream().map(Enum::name).toList();
  }

  /** One script, as a command with its text. */
  public static List<String> eval(String name, RandomGenerator random, String run) {
    String lock = "l" + random.nextInt(2);
    Keys keys = new Keys(lock, lock);
    String token = "c" + random.nextInt(2) + ":" + "abcdefghijklmnopqrstu" + random.nextInt(3);
    // Sometimes a plain Redisson client waits, too.
    if (random.nextInt(6) == 0) {
      token = "7b1c6ad4-0000-4000-8000-00000000000" + random.nextInt(2) + ":7" + random.nextInt(2);
    }
    String ttl = random.nextInt(10) == 0 ? "3" : Integer.toString(random.nextInt(60_000, 90_000));
    String proposal = random.nextBoolean() ? "0" : "9007199254740000";
    String numbers = random.nextBoolean() ? "0" : "1000";
    RedissonScript script = RedissonScript.valueOf(name);
    return switch (script) {
      case SIDES_ACQUIRE, SIDES_RELEASE, SIDES_RENEW, SIDES_INSPECT ->
          SideScripts.eval(script, keys.lock() + "s", token, ttl, random);
      case PERMITS_ACQUIRE,
          PERMITS_RELEASE,
          PERMITS_LEAVE,
          PERMITS_RENEW,
          PERMITS_COUNT,
          PERMITS_RESIZE ->
          PermitCalls.eval(script, keys.lock() + "p", token, ttl, random);
      case LATCH_OPEN, LATCH_COUNT_DOWN, LATCH_LOOK ->
          LatchCalls.eval(script, keys.lock() + "c", token, ttl, random);
      case ACQUIRE ->
          eval(
              RedissonScript.ACQUIRE,
              List.of(keys.lock(), keys.fence()),
              List.of(token, ttl, "0", numbers));
      case NODE_ACQUIRE ->
          eval(
              RedissonScript.NODE_ACQUIRE,
              List.of(keys.lock(), keys.fence(), "lh:node"),
              List.of(
                  token,
                  ttl,
                  proposal,
                  numbers,
                  random.nextBoolean() ? "a,b,c" : "a,b,d",
                  "names",
                  "?",
                  random.nextInt(40) == 0 ? "30001" : "1"));
      case FAIR_ACQUIRE ->
          eval(
              RedissonScript.FAIR_ACQUIRE,
              List.of(
                  keys.lock() + "f",
                  keys.fence() + "f",
                  keys.line(),
                  keys.places(),
                  keys.channel()),
              List.of(token, ttl, random.nextBoolean() ? "1" : "0", "60000", "300000", "PUBLISH"));
      case GONE ->
          eval(
              RedissonScript.GONE, List.of(keys.gone(token), keys.gone(), keys.fence()), List.of());
      case RELEASE ->
          eval(
              RedissonScript.RELEASE,
              List.of(keys.lock(), keys.channel()),
              List.of(token, "PUBLISH"));
      case RELEASE_RUN ->
          eval(
              RedissonScript.RELEASE_RUN,
              List.of(keys.lock(), keys.channel(), keys.fence()),
              List.of(token, "PUBLISH", "9007199254740001", "9007199254740989"));
      case KEEP ->
          eval(
              RedissonScript.KEEP,
              List.of(random.nextBoolean() ? keys.lock() : keys.lock() + "f"),
              List.of(token, ttl));
      case FAIR_RELEASE, FAIR_LEAVE ->
          eval(
              RedissonScript.valueOf(name),
              List.of(keys.lock() + "f", keys.channel(), keys.line(), keys.places()),
              List.of(token, "PUBLISH"));
      case RENEW ->
          eval(
              RedissonScript.RENEW,
              List.of(keys.lock(), "l0"),
              List.of(token, ttl, token, ttl, random.nextBoolean() ? "1" : "0"));
      case INSPECT -> eval(RedissonScript.INSPECT, List.of(keys.lock(), keys.fence()), List.of());
      case RAISE ->
          eval(
              RedissonScript.RAISE,
              List.of(keys.lock(), keys.fence()),
              List.of(token, random.nextBoolean() ? "9007199254740000" : "5", numbers));
      case ENTER ->
          eval(
              RedissonScript.ENTER,
              List.of("lh:node"),
              List.of(
                  random.nextInt(4) == 0 ? "another" : run,
                  "1",
                  random.nextBoolean() ? "1" : "0",
                  random.nextBoolean() ? "id" : ""));
    };
  }

  static List<String> eval(RedissonScript script, List<String> keys, List<String> arguments) {
    List<String> words = new ArrayList<>();
    words.add("EVAL");
    words.add(script.body());
    words.add(Integer.toString(keys.size()));
    words.addAll(keys);
    words.addAll(arguments);
    return words;
  }

  /** Channels that releases publish on. */
  public static List<String> channels() {
    return List.of(
        new Keys("l0", "l0").channel(),
        new Keys("l0s", "l0s").sidesChannel(),
        new Keys("l0p", "l0p").permitChannel(),
        new Keys("l0c", "l0c").latchChannel(),
        new Keys("l0", "l0").channel() + ":c0:abcdefghijklmnopqrstu0");
  }
}
