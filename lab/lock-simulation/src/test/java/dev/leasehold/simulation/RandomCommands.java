package dev.leasehold.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random commands that scripts may call, on few keys, so that types clash and keys expire. */
final class RandomCommands {
  /** K a key, V a value, N a small number, T a TTL, S a score, B a bound. */
  private static final List<String> FORMS =
      List.of(
          "GET K",
          "SET K V",
          "SET K V NX PX T",
          "SET K V XX PX T",
          "SET K V PX T",
          "SET K V KEEPTTL",
          "SET K V GET",
          "SET K V NX XX",
          "SET K V NX PX 0",
          "SETNX K V",
          "STRLEN K",
          "INCR K",
          "INCRBY K N",
          "DEL K",
          "DEL K K",
          "UNLINK K",
          "EXISTS K",
          "EXISTS K K",
          "TYPE K",
          "PTTL K",
          "PEXPIRE K T",
          "PEXPIRE K N",
          "PEXPIRE K -N",
          "PERSIST K",
          "ZADD K S V",
          "ZADD K NX S V",
          "ZADD K XX S V",
          "ZADD K XX CH S V",
          "ZADD K GT S V",
          "ZADD K LT CH S V",
          "ZADD K S V S V",
          "ZREM K V",
          "ZREM K V V",
          "ZCARD K",
          "ZSCORE K V",
          "ZRANK K V",
          "ZINCRBY K S V",
          "ZPOPMIN K",
          "ZPOPMIN K 2",
          "ZRANGE K -N N",
          "ZRANGE K 0 -1 WITHSCORES",
          "ZRANGEBYSCORE K B B",
          "ZRANGEBYSCORE K -inf B LIMIT 0 N",
          "ZRANGEBYSCORE K B +inf WITHSCORES",
          "ZCOUNT K B B",
          "ZREMRANGEBYSCORE K B B",
          "ZREMRANGEBYRANK K N -N",
          "HGET K V",
          "HMGET K V V",
          "HSET K V V",
          "HSET K V N V N",
          "HSETNX K V V",
          "HEXISTS K V",
          "HDEL K V",
          "HLEN K",
          "HKEYS K",
          "HVALS K",
          "HGETALL K",
          "HINCRBY K V N",
          "LINDEX K N",
          "LINDEX K -N",
          "LLEN K",
          "LPOP K",
          "LRANGE K -N N",
          "LREM K 0 V",
          "LREM K N V",
          "LREM K -N V",
          "LPOS K V",
          "RPUSH K V",
          "RPUSH K V V",
          "LPUSH K V",
          "PUBLISH K V",
          "FLUSHALL");

  private final SplittableRandom random;

  RandomCommands(long seed) {
    random = new SplittableRandom(seed);
  }

  List<String> next() {
    String form = FORMS.get(random.nextInt(FORMS.size()));
    if (form.equals("FLUSHALL") && random.nextInt(4) > 0) {
      return next();
    }
    List<String> words = new ArrayList<>(List.of(form.split(" ")));
    String key = key(form.charAt(0));
    for (int i = 1; i < words.size(); i++) {
      words.set(
          i,
          switch (words.get(i)) {
            case "K" -> i == 1 ? key : key(form.charAt(0));
            case "V" -> Character.toString('a' + random.nextInt(4));
            case "N" -> Integer.toString(random.nextInt(4));
            case "-N" -> Integer.toString(-random.nextInt(4));
            case "T" ->
                random.nextInt(3) == 0 ? "1" : Integer.toString(random.nextInt(60_000, 90_000));
            case "S" -> Integer.toString(random.nextInt(-3, 4));
            case "B" -> (random.nextBoolean() ? "(" : "") + random.nextInt(-3, 4);
            default -> words.get(i);
          });
    }
    return words;
  }

  /** Each type usually has its own keys. */
  private String key(char kind) {
    return random.nextInt(12) == 0
        ? "k" + random.nextInt(8)
        : "k"
            + (kind == 'Z' ? 0 : kind == 'H' ? 2 : kind == 'L' || kind == 'R' ? 4 : 6)
            + random.nextInt(2);
  }
}
