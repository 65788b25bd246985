package dev.leasehold.simulation;

import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RespConnection;
import dev.leasehold.testkit.server.RespConnection.ServerError;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A real and a modelled server that receive the same commands. The model's clock follows the real
 * one.
 */
final class Pair implements AutoCloseable {
  /** Numbers of this size depend on the time of the command: a time, or a remaining time. */
  private static final Pattern FENCE = Pattern.compile("(\\d{15,16})(?:\\+(\\d{1,9}))?");

  private static final double TIMES = 10;

  private static final long SLACK_MILLIS = 3;
  private static final int LAST = 12;

  private final RespConnection real;
  private final RespConnection subscriber;
  private final ModelServer model;

  /** A slower command may run after an expiry. */
  private final long tooSlowMicros;

  private final long seed;
  private final List<String> trace = new ArrayList<>();
  private long micros;
  private long slackMicros;
  private int refusals;
  private int slow;

  Pair(RedisServer server, long seed) {
    this(server, seed, 8_000);
  }

  Pair(RedisServer server, long seed, long tooSlowMicros) {
    this.tooSlowMicros = tooSlowMicros;
    this.real = server.connect();
    this.subscriber = server.connect();
    this.seed = seed;
    this.model = new ModelServer(() -> micros, server.runId(), script -> script);
    model.replicationId(
        real.text("INFO", "replication").split("master_replid:|\\s+master_replid2")[1].strip());
  }

  /** Subscribes on both. */
  void subscribe(String channel) {
    subscriber.call("SUBSCRIBE", channel);
    model.subscribe(channel, (to, message) -> {});
  }

  int refusals() {
    return refusals;
  }

  /** How often both had to start over because the machine was too slow to compare. */
  int slow() {
    return slow;
  }

  private long time() {
    List<?> words = real.list("TIME");
    return Long.parseLong((String) words.get(0)) * 1_000_000
        + Long.parseLong((String) words.get(1));
  }

  /** Sends both the same command, and compares the replies. */
  void call(List<String> words) {
    micros = time();
    // Avoids commands close to an expiry.
    while (model.boundaries().stream().anyMatch(this::isNear)) {
      micros = time();
    }
    Object answer;
    try {
      answer = real.call(words.toArray(String[]::new)).orElse(null);
    } catch (ServerError error) {
      answer = error;
    }
    long took = time() - micros;
    slackMicros = Math.max(slackMicros, took + SLACK_MILLIS * 1000);
    Object modelled;
    try {
      modelled = model.call(words);
    } catch (ReplyError error) {
      modelled = error;
    }
    if (words.get(0).equals("HGETALL")) { // the field order of a large hash is unspecified
      answer = byField(answer);
      modelled = byField(modelled);
    }
    refusals += modelled instanceof ReplyError ? 1 : 0;
    trace.add(shown(words) + " -> " + answer);
    if (took > tooSlowMicros) {
      real.call("FLUSHALL");
      model.call("FLUSHALL");
      slow++;
    } else if (!isSame(answer, modelled)) {
      throw failure("the real one answers " + answer + ", the modelled one " + modelled);
    }
  }

  private boolean isNear(double millis) {
    double left = millis - micros / 1000.0;
    // The real server may have executed the write up to this much later than the model.
    double slow = tooSlowMicros / 1000.0 + SLACK_MILLIS;
    return left > -slow && left < slow;
  }

  /** Compares all keys, their values and TTLs. */
  void compareData() {
    micros = time();
    TreeSet<Object> names = new TreeSet<>(real.list("KEYS", "*"));
    List<?> modelled = (List<?>) model.call("KEYS");
    if (!List.copyOf(names).equals(modelled)) {
      throw failure("keys " + names + ", modelled " + modelled);
    }
    for (Object name : names) {
      String key = (String) name;
      call(List.of("TYPE", key));
      call(List.of("PTTL", key));
      call(
          switch (real.text("TYPE", key)) {
            case "string" -> List.of("GET", key);
            case "hash" -> List.of("HGETALL", key);
            case "zset" -> List.of("ZRANGE", key, "0", "-1", "WITHSCORES");
            default -> List.of("LRANGE", key, "0", "-1");
          });
    }
  }

  private static Object byField(Object pairs) {
    if (!(pairs instanceof List<?> list)) {
      return pairs;
    }
    TreeMap<String, Object> fields = new TreeMap<>();
    for (int i = 0; i < list.size(); i += 2) {
      fields.put((String) list.get(i), list.get(i + 1));
    }
    return fields.entrySet().stream()
        .flatMap(field -> Stream.of(field.getKey(), field.getValue()))
        .toList();
  }

  private boolean isSame(Object answer, Object modelled) {
    if (modelled instanceof ReplyError error) {
      return answer instanceof ServerError words
          && String.valueOf(words.getMessage()).contains(error.code());
    }
    if (modelled instanceof Status status) {
      return status.word().equals(answer);
    }
    if (modelled instanceof List<?> list) {
      if (!(answer instanceof List<?> other) || other.size() != list.size()) {
        return false;
      }
      int from = 0;
      if (list.size() >= 2 && isMicros(list.get(0)) && list.get(1) instanceof Long) {
        if (!isSameFence(other.get(0) + "+" + other.get(1), list.get(0) + "+" + list.get(1))) {
          return false;
        }
        from = 2;
      }
      for (int i = from; i < list.size(); i++) {
        if (!isSame(other.get(i), list.get(i))) {
          return false;
        }
      }
      return true;
    }
    if (Objects.equals(answer, modelled)) {
      return true;
    }
    if (answer == null || modelled == null || answer instanceof List) {
      return false;
    }
    return isSameNumber(answer.toString(), modelled.toString())
        || isSameFence(answer.toString(), modelled.toString())
        || isSameLine(answer.toString().split("\\s"), modelled.toString().split("\\s"));
  }

  /** Compares text that contains times. */
  private boolean isSameLine(String[] words, String[] modelled) {
    return words.length > 1
        && words.length == modelled.length
        && IntStream.range(0, words.length)
            .allMatch(i -> words[i].equals(modelled[i]) || isSameNumber(words[i], modelled[i]));
  }

  private static boolean isMicros(Object value) {
    return value instanceof Long number && number > 1e14;
  }

  /** V+r: r, the count of numbers that do not lead the clock, depends on the time as V does. */
  private boolean isSameFence(String a, String b) {
    Matcher one = FENCE.matcher(a);
    Matcher other = FENCE.matcher(b);
    return one.matches()
        && other.matches()
        && isSameNumber(one.group(1), other.group(1))
        && Math.abs(more(one) - more(other)) <= slackMicros;
  }

  private static long more(Matcher fence) {
    return fence.group(2) == null ? 0 : Long.parseLong(fence.group(2));
  }

  /** Times may differ by the duration of the command. */
  private boolean isSameNumber(String a, String b) {
    try {
      double first = Double.parseDouble(a);
      double second = Double.parseDouble(b);
      double difference = Math.abs(first - second);
      boolean isMicros = Math.abs(first) > 1e14;
      // Values below the special replies of PTTL say how long ago a key expired, or how long it
      // must wait.
      boolean areTimes =
          Math.min(Math.abs(first), Math.abs(second)) > TIMES || Math.max(first, second) < -2;
      return difference == 0
          || areTimes
              && difference <= (isMicros ? slackMicros : slackMicros / 1000.0 + SLACK_MILLIS);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static String shown(List<String> words) {
    return words.get(0).equals("EVAL")
        ? "EVAL "
            + words.get(1).lines().limit(1).findFirst().orElse("")
            + words.subList(2, words.size())
        : words.toString();
  }

  private AssertionError failure(String what) {
    return new AssertionError(
        what
            + "\n-Dleasehold.simulation.seed="
            + seed
            + "; the last of "
            + trace.size()
            + ":\n"
            + String.join("\n", trace.subList(Math.max(0, trace.size() - LAST), trace.size())));
  }

  @Override
  public void close() {
    subscriber.close();
    real.close();
  }
}
