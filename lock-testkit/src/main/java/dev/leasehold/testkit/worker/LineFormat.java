package dev.leasehold.testkit.worker;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.Renewal;
import dev.leasehold.lock.WaitStrategy;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Lines of words separated by tabs, each word encoded so that it may contain any text. */
final class LineFormat {
  private LineFormat() {}

  static String line(List<String> words) {
    // An encoded word is never empty, so a line can simply be split.
    return words.stream()
        .map(word -> "." + URLEncoder.encode(word, StandardCharsets.UTF_8))
        .collect(Collectors.joining("\t"));
  }

  static List<String> words(String line) {
    return Arrays.stream(line.split("\t"))
        .map(word -> URLDecoder.decode(word.substring(1), StandardCharsets.UTF_8))
        .toList();
  }

  static List<String> options(LockOptions options) {
    return List.of(
        nanos(options.lease()),
        options.renewal().name(),
        nanos(options.waitStrategy().longest()),
        nanos(options.waitStrategy().shortestPoll()),
        nanos(options.waitStrategy().longestPoll()),
        Integer.toString(options.handOver().times()),
        nanos(options.handOver().within()),
        nanos(options.atLeast()));
  }

  static LockOptions options(List<String> words) {
    LockOptions.Builder builder = LockOptions.builder();
    Duration lease = duration(words.get(0));
    if (Renewal.valueOf(words.get(1)) == Renewal.FIXED) {
      builder.fixedLease(lease);
    } else {
      builder.automaticLease(lease);
    }
    return builder
        .waitStrategy(
            new WaitStrategy(
                duration(words.get(2)), duration(words.get(3)), duration(words.get(4))))
        .handOver(new HandOver(Integer.parseInt(words.get(5)), duration(words.get(6))))
        .atLeast(duration(words.get(7)))
        .build();
  }

  static String nanos(Duration duration) {
    return Long.toString(duration.toNanos());
  }

  static Duration duration(String nanos) {
    return Duration.ofNanos(Long.parseLong(nanos));
  }
}
