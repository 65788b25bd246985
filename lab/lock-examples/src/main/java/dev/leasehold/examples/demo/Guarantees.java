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

/** The table of what each backend on the path guarantees, as its manager says. */
public final class Guarantees {
  private static final Map<Guarantee, String> IN_WORDS = new LinkedHashMap<>();

  static {
    IN_WORDS.put(Guarantee.OWNED, "only the holder can release or renew");
    IN_WORDS.put(Guarantee.SERVER_EXPIRY, "the server itself ends a dead holder's lease");
    IN_WORDS.put(Guarantee.CLOCK_INDEPENDENT, "no wall clock decides anything");
    IN_WORDS.put(Guarantee.REENTRANT, "an owner can acquire again what it holds");
    IN_WORDS.put(Guarantee.RENEWAL, "leases are kept alive while their holder lives");
    IN_WORDS.put(Guarantee.MINIMUM_HOLD, "a lock can stay taken after a quick release");
    IN_WORDS.put(Guarantee.FENCING, "every hold has a larger token than those before");
    IN_WORDS.put(Guarantee.WAKE_UP, "a release wakes a waiter in another process");
    IN_WORDS.put(Guarantee.WAKE_ONE, "and only one, however many wait");
    IN_WORDS.put(Guarantee.TURNS, "who was woken has its turn, however slow it comes");
    IN_WORDS.put(Guarantee.FAIR, "grants in order of arrival across processes");
    IN_WORDS.put(Guarantee.SHARED, "there are read/write locks");
    IN_WORDS.put(Guarantee.WRITERS_TURN, "and neither side passes the other for ever");
    IN_WORDS.put(Guarantee.PERMITS, "there are semaphores");
    IN_WORDS.put(Guarantee.LATCH, "there are latches");
    IN_WORDS.put(Guarantee.QUORUM, "the lock lives on a majority of nodes");
    IN_WORDS.put(Guarantee.FAILOVER_SAFE, "no failover loses a lock");
  }

  private Guarantees() {}

  /** Opens each backend on the servers there, and prints a line for each guarantee. */
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
      out.printf(rule, guarantee, IN_WORDS.get(guarantee));
      columns.values().forEach(has -> out.printf(" %11s", has.contains(guarantee) ? "yes" : "-"));
      out.println();
    }
    out.println();
  }
}
