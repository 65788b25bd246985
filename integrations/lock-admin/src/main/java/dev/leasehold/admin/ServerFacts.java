package dev.leasehold.admin;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * What a server reports about itself, and its response times.
 *
 * @param address its address, without credentials
 * @param info the fields of {@code INFO}
 * @param roundTrips the durations of some {@code TIME} commands, sorted; never empty
 * @param clockAhead how far its clock is ahead of this machine's; negative if it is behind. The
 *     error is at most half of the shortest round trip
 */
record ServerFacts(
    String address, Map<String, String> info, List<Duration> roundTrips, Duration clockAhead) {
  /** The number of first calls not counted, during which this JVM loads and compiles its code. */
  private static final int WARM_UP = 20;

  private static final int MOST = 100;

  static CompletableFuture<ServerFacts> of(
      String address, RedisClusterAsyncCommands<byte[], byte[]> redis, Duration budget) {
    return redis
        .info()
        .toCompletableFuture()
        .thenCompose(
            info ->
                new Sampling(redis, budget)
                    .more()
                    .thenApply(samples -> of(address, fields(info), samples)));
  }

  private static ServerFacts of(String address, Map<String, String> info, List<Sample> samples) {
    List<Sample> warm = samples.subList(Math.min(WARM_UP, samples.size() - 1), samples.size());
    List<Sample> sorted =
        warm.stream().sorted((a, b) -> a.roundTrip.compareTo(b.roundTrip)).toList();
    return new ServerFacts(
        address, info, sorted.stream().map(Sample::roundTrip).toList(), sorted.get(0).clockAhead());
  }

  private static Map<String, String> fields(String info) {
    Map<String, String> fields = new HashMap<>();
    info.lines()
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
              }
            });
    return fields;
  }

  String text(String field) {
    return info.getOrDefault(field, "");
  }

  /** Returns a number; 0 if the server does not report it. */
  long number(String field) {
    String text = text(field);
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
  }

  boolean is(String field, String value) {
    return text(field).equals(value);
  }

  /** Returns the duration that this share of the round trips did not exceed. */
  Duration roundTrip(double share) {
    return roundTrips.get((int) Math.round(share * (roundTrips.size() - 1)));
  }

  private record Sample(Instant sent, Duration roundTrip, Instant server) {
    Duration clockAhead() {
      return Duration.between(sent.plus(roundTrip.dividedBy(2)), server);
    }
  }

  /** Asks for the time repeatedly, one call at a time. */
  private static final class Sampling {
    private final RedisClusterAsyncCommands<byte[], byte[]> redis;
    private final long end;
    private final List<Sample> samples = new ArrayList<>();

    Sampling(RedisClusterAsyncCommands<byte[], byte[]> redis, Duration budget) {
      this.redis = redis;
      this.end = System.nanoTime() + budget.toNanos();
    }

    CompletableFuture<List<Sample>> more() {
      Instant sent = Instant.now();
      long start = System.nanoTime();
      return redis
          .time()
          .toCompletableFuture()
          .thenCompose(
              time -> {
                long now = System.nanoTime();
                samples.add(new Sample(sent, Duration.ofNanos(now - start), moment(time)));
                return samples.size() < MOST && now - end < 0
                    ? more()
                    : CompletableFuture.completedFuture(samples);
              });
    }

    /** Parses the reply to {@code TIME}: seconds, and microseconds within the second. */
    private static Instant moment(List<byte[]> time) {
      return Instant.ofEpochSecond(number(time.get(0)))
          .plus(number(time.get(1)), ChronoUnit.MICROS);
    }

    private static long number(byte[] digits) {
      return Long.parseLong(new String(digits, StandardCharsets.US_ASCII));
    }
  }
}
