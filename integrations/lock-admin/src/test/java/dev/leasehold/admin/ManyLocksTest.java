package dev.leasehold.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Many locks")
class ManyLocksTest extends OnOneServer {
  private static final int LOCKS = 10_000;
  private static final long MOST_BYTES = 24L << 20;

  @Test
  @DisplayName("10 000 are listed, and memory does not grow with them")
  void bounded() throws Exception {
    for (int at = 0; at < LOCKS; at += 500) {
      List<String> set = new ArrayList<>(List.of("MSET"));
      for (int i = at; i < at + 500; i++) {
        set.add("lh:{" + "n".repeat(200) + i + "}");
        set.add("one:0123456789012345678901");
      }
      server.call(set.toArray(String[]::new));
    }
    LockAdmin admin = admin();
    Set<Integer> hashes = new HashSet<>();
    for (ListedLock entry : admin.list("*")) { // the first one loads classes and buffers, too
      hashes.add(entry.name().hashCode());
    }
    assertEquals(LOCKS, hashes.size());
    long before = live();
    long kept = weight(admin);
    // Entries weigh something, so what is compared below is no accident.
    assertTrue(kept > 3_000_000, () -> "all entries take " + kept + " bytes");
    long least = Long.MAX_VALUE; // others of this JVM may take memory in one round or another
    for (int round = 0; round < 3 && least >= kept / 3; round++) {
      least = Math.min(least, mostWhileListing(admin) - before);
    }
    long listing = least;
    assertTrue(
        listing < kept / 3, () -> "a listing takes " + listing + " bytes, all its entries " + kept);
    assertTrue(before < MOST_BYTES * 10);
  }

  private static long weight(LockAdmin admin) {
    long before = live();
    List<ListedLock> all = admin.list("*").stream().toList();
    long kept = live() - before;
    assertEquals(LOCKS, all.size());
    return kept;
  }

  private static long mostWhileListing(LockAdmin admin) {
    long most = 0;
    int count = 0;
    for (ListedLock entry : admin.list("*")) {
      assertTrue(entry.name().startsWith("n"));
      count++;
      if (count == 1 || count % 2500 == 0) {
        most = Math.max(most, live());
      }
    }
    assertEquals(LOCKS, count);
    return most;
  }

  /** Bytes in use after a collection. */
  private static long live() {
    System.gc();
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getCollectionUsage() != null)
        .map(MemoryPoolMXBean::getCollectionUsage)
        .mapToLong(usage -> usage.getUsed())
        .sum();
  }

  @Test
  @DisplayName(
      "Under contention a listing contains what is held throughout, and names no lock" + " twice")
  void contention() throws Exception {
    LockManager one = process("one");
    Set<String> held = new HashSet<>();
    for (int i = 0; i < 300; i++) {
      one.lock("held-" + i).acquire();
      held.add("held-" + i);
    }
    AtomicBoolean stop = new AtomicBoolean();
    List<Thread> others = new ArrayList<>();
    for (int t = 0; t < 2; t++) {
      LockManager other = process("other-" + t);
      Thread thread =
          new Thread(
              () -> {
                while (!stop.get()) {
                  Lease lease =
                      other
                          .lock("hot-" + ThreadLocalRandom.current().nextInt(20))
                          .tryAcquire()
                          .orElse(null);
                  if (lease != null) {
                    lease.release();
                  }
                }
              });
      thread.start();
      others.add(thread);
    }
    try {
      LockAdmin admin = admin();
      for (int round = 0; round < 5; round++) {
        List<ListedLock> entries = admin.list("*").stream().toList();
        Set<String> names = new HashSet<>();
        for (ListedLock entry : entries) {
          assertTrue(names.add(entry.name()), () -> "twice: " + entry);
          assertTrue(entry.holds().size() <= 1, entry::toString);
        }
        assertTrue(names.containsAll(held), () -> "missing of " + names);
        entries.stream()
            .filter(entry -> held.contains(entry.name()))
            .forEach(entry -> assertEquals("one", entry.holds().get(0).holder()));
      }
    } finally {
      stop.set(true);
      for (Thread thread : others) {
        thread.join();
      }
    }
    assertEquals(
        held,
        admin().list("*").stream()
            .filter(entry -> entry.holds().get(0).state() == HoldState.HELD)
            .collect(HashSet::new, (set, entry) -> set.add(entry.name()), (a, b) -> a.addAll(b)));
  }
}
