package dev.leasehold.examples.demo;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.LockBackend;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;

/** The table of the guarantees that each backend's manager declares. */
public final class Guarantees {
  private Guarantees() {}

  /** A switch over all constants: the compiler reports a missing one. */
  private static String inWords(Guarantee guarantee) {
    return switch (guarantee) {
      case OWNED -> "only the holder can release or renew";
      case SERVER_EXPIRY -> "the server itself ends a dead holder's lease";
      case CLOCK_INDEPENDENT -> "no wall clock decides anything";
      case REENTRANT -> "an owner can acquire again what it holds";
      case RENEWAL -> "leases are kept alive while their holder lives";
      case MINIMUM_HOLD -> "a lock can stay taken after a quick release";
      case FENCING -> "every hold has a larger token than those before";
      case LINGER -> "a released lease can be kept a while, by a setting";
      case WAKE_UP -> "a release wakes a waiter in another process";
      case WAKE_ONE -> "and only one, however many wait";
      case TURNS -> "a woken waiter has its turn, even if it is slow";
      case FAIR -> "grants in order of arrival, by a setting";
      case TOGETHER -> "several names are taken in one step";
      case SHARED -> "there are read/write locks";
      case WRITERS_TURN -> "and neither side passes the other for ever";
      case PERMITS -> "there are semaphores";
      case LATCH -> "there are latches";
      case LATCH_OPENING -> "and an unopened one is waited for";
      case SLOTS -> "permits are numbered, each with its own tokens";
      case QUORUM -> "the lock lives on a majority of nodes";
      case FAILOVER_SAFE -> "no failover loses a lock";
    };
  }

  /** Opens each backend on these servers, and prints a line for each guarantee. */
  public static void print(List<String> uris, PrintStream out) {
    Map<String, Set<Guarantee>> columns = new LinkedHashMap<>();
    for (LockBackend backend : ServiceLoader.load(LockBackend.class)) {
      Map<String, String> settings =
          Map.of(
              "lock.backend",
              backend.id(),
              "lock.redis.uri",
              uris.get(0),
              "lock.redlock.nodes",
              String.join(",", uris));
      try (LockManager locks = LockManager.open(LockSettings.of(settings))) {
        columns.put(backend.id(), locks.guarantees());
      }
    }
    String rule = "   %-18s %-50s";
    out.printf(rule, "", "");
    columns.keySet().forEach(id -> out.printf(" %11s", id));
    out.println();
    for (Guarantee guarantee : Guarantee.values()) {
      out.printf(rule, guarantee, inWords(guarantee));
      columns.values().forEach(has -> out.printf(" %11s", has.contains(guarantee) ? "yes" : "-"));
      out.println();
    }
    out.println();
  }
}
