package dev.leasehold.admin;

import dev.leasehold.admin.Finding.Level;
import dev.leasehold.admin.Finding.Topic;
import dev.leasehold.redis.common.Eviction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Judges the facts of one server. */
final class Judgement {
  /** The oldest version that is tested. */
  private static final int[] OLDEST = {6, 2};

  /** The share of a limit above which a server is considered nearly full. */
  private static final double NEARLY_FULL = 0.9;

  private static final Duration CLOCKS_DIFFER = Duration.ofMillis(100);
  private static final Duration CLOCKS_FAR_APART = Duration.ofSeconds(1);
  private static final Duration SLOW = Duration.ofMillis(20);
  private static final Duration LONG_FORK = Duration.ofMillis(200);
  private static final long MOST_LAG_SECONDS = 2;

  /** The settings that affect the judgement. */
  record Terms(
      boolean quorum,
      boolean cluster,
      Duration commandTimeout,
      int replicas,
      boolean evictionAllowed) {}

  private final ServerFacts facts;
  private final Terms terms;
  private final List<Finding> findings = new ArrayList<>();
  private Topic topic = Topic.SERVER;

  Judgement(ServerFacts facts, Terms terms) {
    this.facts = facts;
    this.terms = terms;
  }

  List<Finding> findings() {
    check(Topic.SERVER, this::server);
    check(Topic.EVICTION, this::eviction);
    check(Topic.LIMITS, this::limits);
    check(Topic.PERSISTENCE, this::persistence);
    check(Topic.REPLICAS, this::replicas);
    check(Topic.CLOCK, this::clock);
    check(Topic.LATENCY, this::latency);
    return findings;
  }

  private void check(Topic next, Runnable examination) {
    topic = next;
    examination.run();
  }

  private void ok(String text) {
    findings.add(Finding.ok(topic, facts.address(), text));
  }

  private void add(Level level, String text, String advice) {
    findings.add(new Finding(level, topic, facts.address(), text, advice));
  }

  private void problem(String text, String advice) {
    add(Level.PROBLEM, text, advice);
  }

  private void warning(String text, String advice) {
    add(Level.WARNING, text, advice);
  }

  private void server() {
    String valkey = facts.text("valkey_version");
    String version = valkey.isEmpty() ? "Redis " + facts.text("redis_version") : "Valkey " + valkey;
    String text =
        version
            + ", "
            + facts.text("redis_mode")
            + ", up for "
            + time(Duration.ofSeconds(facts.number("uptime_in_seconds")));
    if (isOld(facts.text("redis_version"))) {
      warning(text + "; older than the tested versions", "Use Redis from 6.2 or Valkey 9.");
    } else {
      ok(text);
    }
    if (facts.is("role", "slave")) {
      problem(
          "It is a replica, which can't grant locks.",
          "Name the primary, or the Sentinels: redis-sentinel://host,host#primary.");
    }
    if (facts.is("cluster_enabled", "1") && !terms.cluster) {
      problem(
          "It is one node of a cluster, and serves only its own share of the names.",
          "Set lock.redis.cluster = true.");
    }
    if (facts.is("loading", "1")) {
      problem("It is still loading its data.", "Wait until it has.");
    }
  }

  private static boolean isOld(String version) {
    String[] parts = version.split("\\.", -1);
    for (int i = 0; i < OLDEST.length; i++) {
      if (i >= parts.length || !parts[i].matches("\\d{1,4}")) {
        return false; // a server that counts otherwise
      }
      int part = Integer.parseInt(parts[i]);
      if (part != OLDEST[i]) {
        return part < OLDEST[i];
      }
    }
    return false;
  }

  private void eviction() {
    String policy = facts.info().getOrDefault("maxmemory_policy", "noeviction");
    if (!Eviction.isPossible(policy, facts.info().getOrDefault("maxmemory", "0"))) {
      ok("No key is evicted.");
      return;
    }
    String text = "maxmemory-policy is " + policy + " with a maxmemory: held locks may be evicted.";
    if (terms.evictionAllowed) {
      warning(
          text,
          "lock.redis.allow-eviction = true accepts that. Safer: noeviction, or a server for locks"
              + " alone.");
    } else {
      problem(
          text + " No manager opens.",
          "CONFIG SET maxmemory-policy noeviction; with a managed service, in its own settings.");
    }
  }

  private void limits() {
    long most = facts.number("maxmemory");
    long used = facts.number("used_memory");
    if (most > 0 && used > NEARLY_FULL * most) {
      warning(
          percent(used, most)
              + " of maxmemory is used; at the limit locks can be neither"
              + " acquired nor renewed.",
          "Raise maxmemory, or move other data elsewhere.");
    }
    long clients = facts.number("connected_clients");
    long mostClients = facts.number("maxclients");
    if (mostClients > 0 && clients > NEARLY_FULL * mostClients) {
      warning(
          clients + " of " + mostClients + " possible clients are connected.",
          "Raise maxclients. Each manager needs two connections; redis-setnx one for each call in"
              + " progress.");
    }
    if (findings.stream().noneMatch(finding -> finding.topic() == topic)) {
      ok("clients: " + clients + ", memory used: " + used / (1024 * 1024) + " MB");
    }
  }

  private static String percent(long part, long whole) {
    return 100 * part / whole + " %";
  }

  private void persistence() {
    if (facts.is("rdb_last_bgsave_status", "err") || facts.is("aof_last_write_status", "err")) {
      problem(
          "It could not save its data, and may refuse to write: then locks can be neither"
              + " acquired nor renewed.",
          "Check its log: usually the disk is full.");
    }
    if (facts.number("latest_fork_usec") > LONG_FORK.toNanos() / 1000) {
      warning(
          "Its last fork, to save data, stopped it for "
              + facts.number("latest_fork_usec") / 1000
              + " ms.",
          "Leases must outlast that several times. Disable transparent huge pages, use a smaller"
              + " server, or save on a replica.");
    }
    if (terms.quorum) {
      return; // a node that restarts does not vote until all leases are over
    }
    if (facts.is("aof_enabled", "1")) {
      ok("Locks survive a restart, except those of its last second (AOF).");
    } else {
      add(
          Level.NOTICE,
          "A restart loses the locks acquired since the last snapshot: others can acquire them"
              + " while their holders still run.",
          "CONFIG SET appendonly yes, or send fencing tokens with each write (docs/fencing.md).");
    }
  }

  private void replicas() {
    long connected = facts.number("connected_slaves");
    for (int i = 0; i < connected; i++) {
      replica(facts.text("slave" + i));
    }
    if (connected < terms.replicas && !terms.quorum) {
      problem(
          connected + " replicas are connected, and each acquisition needs " + terms.replicas + ".",
          "Start the missing ones, or lower lock.redis-set.wait-replicas.");
    } else if (connected == 0 || terms.quorum) {
      ok(connected + " replicas");
    } else if (terms.replicas == 0) {
      add(
          Level.NOTICE,
          connected
              + " replicas, for which acquisitions do not wait: a failover may lose the last"
              + " locks, which others can then acquire.",
          "lock.redis-set.wait-replicas = 1 makes that unlikely; fencing tokens keep the older"
              + " holder out; a quorum (redlock) excludes it.");
    } else {
      ok(connected + " replicas, of which each acquisition waits for " + terms.replicas);
    }
  }

  /** {@code ip=10.0.0.2,port=6379,state=online,offset=4711,lag=0}. */
  private void replica(String line) {
    String state = part(line, "state");
    String lag = part(line, "lag");
    boolean late = lag.matches("\\d{1,9}") && Long.parseLong(lag) > MOST_LAG_SECONDS;
    if (!state.equals("online") || late) {
      warning(
          "The replica "
              + part(line, "ip")
              + ":"
              + part(line, "port")
              + " is "
              + state
              + ", last seen "
              + lag
              + " s ago.",
          "A failover to it loses what it has not received. Check its log and network.");
    }
  }

  private static String part(String line, String key) {
    for (String part : line.split(",", -1)) {
      if (part.startsWith(key + "=")) {
        return part.substring(key.length() + 1);
      }
    }
    return "unknown";
  }

  private void clock() {
    Duration off = facts.clockAhead().abs();
    String text =
        "Its clock is "
            + millis(off)
            + (facts.clockAhead().isNegative() ? " behind" : " ahead of")
            + " this machine's (within "
            + millis(facts.roundTrip(0).dividedBy(2))
            + ").";
    if (off.minus(facts.roundTrip(0)).compareTo(CLOCKS_DIFFER) <= 0) {
      ok(text);
      return;
    }
    add(
        off.compareTo(CLOCKS_FAR_APART) > 0 ? Level.WARNING : Level.NOTICE,
        text
            + " No lease depends on that, but tokens and times shown do"
            + (terms.quorum ? ", and the order of arrival in fair queues." : "."),
        "Let a time service (chrony, ntpd) slew both clocks.");
  }

  private void latency() {
    Duration usual = facts.roundTrip(0.5);
    Duration worst = facts.roundTrip(1);
    String text = "answers in " + millis(usual) + ", in " + millis(worst) + " at worst";
    if (usual.compareTo(SLOW) > 0 || worst.compareTo(terms.commandTimeout.dividedBy(10)) > 0) {
      warning(
          text,
          "A lock costs two such round trips. Look for slow commands (SLOWLOG GET), a busy"
              + " processor, or a far network.");
    } else {
      ok(text);
    }
  }

  private static String millis(Duration time) {
    return String.format(Locale.ROOT, "%.2f ms", time.toNanos() / 1e6);
  }

  private static String time(Duration up) {
    if (up.toDays() > 0) {
      return up.toDays() + " days";
    }
    return up.toHours() > 0 ? up.toHours() + " h" : up.toMinutes() + " min";
  }
}
