package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.RedisBackend;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.server.ServerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

final class InputRules extends Steps {
  private static final int MOST_BYTES = 512;
  private static final String EVICTING = "allkeys-lru";

  // ---- IN-1 ----

  @Rule(value = "IN-1", shows = "names")
  void names() {
    LockManager manager = open();
    Check.fails(NullPointerException.class, "a null name", () -> manager.lock(none()));
    fails(IllegalArgumentException.class, "an empty name", () -> manager.lock(""), "''", "512");
    fails(
        IllegalArgumentException.class,
        "a name of 513 bytes",
        () -> manager.lock("x".repeat(MOST_BYTES + 1)),
        "513",
        "512");
    fails(
        IllegalArgumentException.class,
        "a name of 514 bytes",
        () -> manager.lock("ü".repeat(257)),
        "514",
        "512");
    fails(
        IllegalArgumentException.class,
        "a lone surrogate",
        () -> manager.lock("a\ud83d"),
        "surrogate");
    manager.lock("x".repeat(MOST_BYTES)).tryAcquire().orElseThrow().release();
  }

  @SuppressWarnings("NullAway") // passing null is the mistake under test
  private static String none() {
    return null;
  }

  @Rule(value = "IN-1", shows = "durations")
  void durations() throws Exception {
    DistributedLock lock = lock(freshName());
    Duration tooLong = Duration.ofSeconds(Long.MAX_VALUE);
    fails(
        IllegalArgumentException.class,
        "a lease of zero",
        () -> LockOptions.fixed(Duration.ZERO),
        "0ms",
        "10ms");
    fails(
        IllegalArgumentException.class,
        "a negative lease",
        () -> LockOptions.fixed(Duration.ofSeconds(-1)),
        "-1s");
    fails(
        IllegalArgumentException.class,
        "an endless lease",
        () -> LockOptions.fixed(tooLong),
        Setting.written(tooLong),
        "365d");
    fails(
        IllegalArgumentException.class,
        "a negative wait",
        () -> lock.tryAcquire(Duration.ofNanos(-1)),
        "-0.000001ms");
    fails(
        IllegalArgumentException.class,
        "an endless wait",
        () -> lock.tryAcquire(tooLong),
        Setting.written(tooLong));
    fails(
        IllegalArgumentException.class,
        "a negative wait",
        () -> lock.tryAcquireAsync(Duration.ofNanos(-1)),
        "0ms");
    try (Lease lease = lock.acquire()) {
      fails(
          IllegalArgumentException.class,
          "an extension by nothing",
          () -> lease.extend(Duration.ZERO),
          "0ms");
      fails(
          IllegalArgumentException.class,
          "an endless extension",
          () -> lease.extend(tooLong),
          Setting.written(tooLong));
      Check.that(lease.isValid(), "a refused extension does no harm");
    }
  }

  // ---- IN-2 ----

  @Rule(value = "IN-2", shows = "collisions")
  void anyName() {
    String base = freshName();
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
    LockManager manager = open();
    LockManager other = open();
    List<Lease> held = new ArrayList<>();
    for (String each : names) {
      held.add(
          manager
              .lock(each)
              .tryAcquire()
              .orElseThrow(() -> new AssertionError("collides with one before: " + shown(each))));
    }
    for (String each : names) {
      Check.that(other.lock(each).tryAcquire().isEmpty(), "held: " + shown(each));
    }
    held.forEach(Lease::release);
    names.forEach(each -> taken(other.lock(each).tryAcquire(), "free again: " + shown(each)));
  }

  private static String shown(String lockName) {
    StringBuilder text = new StringBuilder();
    lockName.chars().forEach(c -> text.append(c < ' ' ? String.format("\\u%04x", c) : (char) c));
    return text.toString();
  }

  @Rule(value = "IN-2", shows = "messages")
  void messages() {
    DistributedLock lock = lock(name + "\r\nall is well\u2028\u202e");
    oneLine("the lock's toString()", lock.toString());
    try (Lease lease = lock.tryAcquire().orElseThrow()) {
      oneLine("the lease's toString()", lease.toString());
    }
    Class<IllegalMonitorStateException> stranger = IllegalMonitorStateException.class;
    oneLine(
        "the refusal of a stranger's unlock()",
        Check.fails(stranger, "a stranger's unlock", lock.asLock()::unlock).getMessage());
    oneLine(
        "the refusal of a long name",
        Check.fails(
                IllegalArgumentException.class,
                "a long name",
                () -> lock("\n".repeat(MOST_BYTES + 1)))
            .getMessage());
  }

  private static void oneLine(String what, @Nullable String text) {
    String words = String.valueOf(text);
    Check.that(
        words.codePoints().noneMatch(c -> c < ' ' || c == 0x2028 || c == 0x202e),
        what + " shows the name in one line: " + shown(words));
  }

  // ---- IN-3 ----

  @Rule(value = "IN-3", needs = Need.OPTIONS)
  void evictingServer() {
    Site site =
        bench.ownSite(
            ServerOptions.defaults().with("--maxmemory", "100mb", "--maxmemory-policy", EVICTING));
    fails(LockConfigurationException.class, "a server that may evict", site::open, EVICTING);
    if (site.backend() instanceof RedisBackend redis) {
      RedisBackend allowing = redis.with("lock.redis.allow-eviction", "true");
      try (LockManager manager = allowing.manager(site.address(), builder -> builder)) {
        manager.lock(name).tryAcquire().orElseThrow().release();
      }
    }
  }
}
