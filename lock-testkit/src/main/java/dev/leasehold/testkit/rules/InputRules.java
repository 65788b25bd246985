package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.RedisBackend;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

final class InputRules {
  private static final int MOST_BYTES = 512;
  private static final String EVICTING = "allkeys-lru";

  private static void refused(String what, Check.Action call, String... parts) {
    IllegalArgumentException refusal = Check.fails(IllegalArgumentException.class, what, call);
    for (String part : parts) {
      Check.that(
          String.valueOf(refusal.getMessage()).contains(part),
          "the refusal of " + what + " names '" + part + "': " + refusal.getMessage());
    }
  }

  // ---- IN-1 ----

  @Rule(value = "IN-1", shows = "names")
  void names(Bench bench) {
    LockManager manager = bench.site().open();
    Check.fails(NullPointerException.class, "a null name", () -> manager.lock(none()));
    refused("an empty name", () -> manager.lock(""), "''", "512");
    refused("a name of 513 bytes", () -> manager.lock("x".repeat(MOST_BYTES + 1)), "513", "512");
    refused("a name of 514 bytes", () -> manager.lock("ü".repeat(257)), "514", "512");
    refused("a lone surrogate", () -> manager.lock("a\ud83d"), "surrogate");
    manager.lock("x".repeat(MOST_BYTES)).tryAcquire().orElseThrow().release();
  }

  @SuppressWarnings("NullAway") // passing null is the mistake under test
  private static String none() {
    return null;
  }

  @Rule(value = "IN-1", shows = "durations")
  void durations(Bench bench) throws Exception {
    DistributedLock lock = bench.site().open().lock(bench.name());
    Duration tooLong = Duration.ofSeconds(Long.MAX_VALUE);
    refused("a lease of zero", () -> LockOptions.fixed(Duration.ZERO), "0ms", "10ms");
    refused("a negative lease", () -> LockOptions.fixed(Duration.ofSeconds(-1)), "-1s");
    refused("an endless lease", () -> LockOptions.fixed(tooLong), Setting.written(tooLong), "365d");
    refused("a negative wait", () -> lock.tryAcquire(Duration.ofNanos(-1)), "-0.000001ms");
    refused("an endless wait", () -> lock.tryAcquire(tooLong), Setting.written(tooLong));
    refused("a negative wait", () -> lock.tryAcquireAsync(Duration.ofNanos(-1)), "0ms");
    try (Lease lease = lock.acquire()) {
      refused("an extension by nothing", () -> lease.extend(Duration.ZERO), "0ms");
      refused("an endless extension", () -> lease.extend(tooLong), Setting.written(tooLong));
      Check.that(lease.isValid(), "a refused extension does no harm");
    }
  }

  // ---- IN-2 ----

  @Rule(value = "IN-2", shows = "collisions")
  void anyName(Bench bench) {
    String base = bench.name();
    List<String> names = new ArrayList<>();
    for (String part :
        List.of(
            "%s",
            "{%s}",
            "{{%s}}",
            "}%s{",
            "{%s",
            "%s}",
            "{}%s",
            "%s:fence",
            "{%s}:fence",
            "%s:wait",
            "{%s}:wait",
            " %s",
            "%s ",
            "%s\n",
            "%s\r\n",
            "%s\0",
            "\0%s",
            "%s\\",
            "%s\"",
            "%s'",
            "%s%%",
            "%s*",
            "%s?",
            "[%s]",
            "%s\ud83d\ude00",
            "%sü",
            "%su\u0308",
            "%s\u0000\u0001",
            "lh:%s",
            "lh:{%s}",
            "%s:",
            ":%s",
            "%s\u202e",
            "%s\t\u00a0")) {
      names.add(part.replace("%%", "%").replace("%s", base));
    }
    // If two of these names were mapped to one key, the second would be found held.
    LockManager manager = bench.site().open();
    LockManager other = bench.site().open();
    List<Lease> held = new ArrayList<>();
    for (String name : names) {
      held.add(
          manager
              .lock(name)
              .tryAcquire()
              .orElseThrow(() -> new AssertionError("collides with one before: " + shown(name))));
    }
    for (String name : names) {
      Check.that(other.lock(name).tryAcquire().isEmpty(), "held: " + shown(name));
    }
    held.forEach(Lease::release);
    for (String name : names) {
      other
          .lock(name)
          .tryAcquire()
          .orElseThrow(() -> new AssertionError("still held: " + shown(name)))
          .release();
    }
  }

  private static String shown(String name) {
    StringBuilder text = new StringBuilder();
    name.chars().forEach(c -> text.append(c < ' ' ? String.format("\\u%04x", c) : (char) c));
    return text.toString();
  }

  @Rule(value = "IN-2", shows = "messages")
  void messages(Bench bench) {
    String name = bench.name() + "\r\nall is well\u2028\u202e";
    DistributedLock lock = bench.site().open().lock(name);
    oneLine("the lock's toString()", lock.toString());
    try (Lease lease = lock.tryAcquire().orElseThrow()) {
      oneLine("the lease's toString()", lease.toString());
    }
    oneLine(
        "the refusal of a stranger's unlock()",
        Check.fails(
            IllegalMonitorStateException.class, "a stranger's unlock", lock.asLock()::unlock));
    oneLine(
        "the refusal of a long name",
        Check.fails(
            IllegalArgumentException.class,
            "a long name",
            () -> bench.site().open().lock("\n".repeat(MOST_BYTES + 1))));
  }

  private static void oneLine(String what, Throwable failure) {
    oneLine(what, String.valueOf(failure.getMessage()));
  }

  private static void oneLine(String what, String text) {
    Check.that(
        text.codePoints().noneMatch(c -> c < ' ' || c == 0x2028 || c == 0x202e),
        what + " shows the name in one line: " + shown(text));
  }

  // ---- IN-3 ----

  @Rule(value = "IN-3", needs = Need.OPTIONS)
  void evictingServer(Bench bench) {
    Site site =
        bench.ownSite(
            ServerOptions.defaults().with("--maxmemory", "100mb", "--maxmemory-policy", EVICTING));
    LockConfigurationException refusal =
        Check.fails(LockConfigurationException.class, "a server that may evict", site::open);
    Check.that(
        String.valueOf(refusal.getMessage()).contains(EVICTING),
        "the refusal names the policy: " + refusal.getMessage());
    if (site.backend() instanceof RedisBackend redis) {
      RedisBackend allowing = redis.with("lock.redis.allow-eviction", "true");
      try (LockManager manager = allowing.manager(site.address(), builder -> builder)) {
        manager.lock(bench.name()).tryAcquire().orElseThrow().release();
      }
    }
  }
}
