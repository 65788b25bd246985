package dev.leasehold.benchmarks;

import io.lettuce.core.api.StatefulRedisConnection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many scripts a server has run. */
final class ScriptCount {
  private static final Pattern CALLS = Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+)");

  private ScriptCount() {}

  static long of(StatefulRedisConnection<?, ?> redis) {
    Matcher found = CALLS.matcher(redis.sync().info("commandstats"));
    long all = 0;
    while (found.find()) {
      all += Long.parseLong(found.group(1));
    }
    return all;
  }
}
