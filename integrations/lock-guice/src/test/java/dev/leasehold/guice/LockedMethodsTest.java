package dev.leasehold.guice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockTimeoutException;
import dev.leasehold.methods.CurrentLease;
import dev.leasehold.methods.Locked;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("@Locked: methods under a lock")
class LockedMethodsTest {
  private static final int COUNTS = 800;
  private static final long MOST_SECONDS = 60;

  private static TwoApps apps;
  private static Orders orders;
  private static LockManager locks;

  /** Another application: a manager of its own on the same server. */
  private static LockManager others;

  @BeforeAll
  static void start() {
    apps =
        new TwoApps(
            """
            lock { redis.uri = "%1$s", lease = 20s, locks.brief { lease = 200ms, renewal = fixed } }
            other-lock { redis.uri = "%1$s", label = others }
            """);
    orders = apps.injector.getInstance(Orders.class);
    locks = apps.injector.getInstance(LockManager.class);
    others = apps.others;
  }

  @AfterAll
  static void stop() {
    apps.close();
  }

  enum Region {
    EU {
      @Override
      public String toString() {
        return "not the name";
      }
    }
  }

  static class Orders {
    @Inject LockManager locks;
    int counter;
    Duration remaining;

    /** Runs something under the lock. */
    @Locked(name = "orders:{0}", waitFor = "2s", lease = "3s")
    <T> T under(String order, Callable<T> work) throws Exception {
      return work.call();
    }

    @Locked(name = "patient:{order}")
    Lease patiently(String order, @CurrentLease @Nullable Lease lease) {
      remaining = lease.remaining();
      return lease;
    }

    @Locked(name = "{{{0}}}-{1}-{2}-{region}-{{}}", waitFor = "0s")
    String all(long number, UUID id, char c, Region region, @CurrentLease @Nullable Lease lease) {
      return lease.lockName();
    }

    @Locked(name = "nightly", waitFor = "0s", atLeast = "1m")
    void nightly(@CurrentLease @Nullable Lease lease) {
      remaining = lease.remaining();
    }

    @Locked(name = "uninterruptibly")
    void withoutInterruptedException() {}

    @Locked(name = "interruptibly")
    void withInterruptedException() throws InterruptedException {}

    @Locked(name = "brief", options = "brief", waitFor = "0s")
    boolean outlive() throws Exception {
      Lease lease = locks.lock("brief").inspect().map(h -> (Lease) null).orElse(null);
      return lease == null && gone("brief");
    }

    private boolean gone(String name) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
      while (locks.lock(name).inspect().isPresent() && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      return true;
    }

    @Named("others")
    @Locked(name = "elsewhere", waitFor = "0s")
    String holderByTheOthers() {
      return locks.lock("elsewhere").inspect().orElseThrow().holder();
    }

    @Locked(name = "counter")
    void count() {
      int read = counter;
      Thread.yield();
      counter = read + 1;
    }
  }

  private static boolean free(String name) {
    return others.lock(name).inspect().isEmpty();
  }

  @Test
  @DisplayName("A minimum hold refuses the next call, and the lease is still the settings'")
  void minimumHold() {
    orders.nightly(null);
    assertThrows(LockTimeoutException.class, () -> orders.nightly(null));
    assertTrue(others.lock("nightly").tryAcquire().isEmpty());
    Duration left = locks.lock("nightly").inspect().orElseThrow().remaining();
    assertTrue(left.compareTo(Duration.ofSeconds(61)) < 0, left::toString);
    assertTrue(left.compareTo(Duration.ofSeconds(30)) > 0, left::toString);
  }

  @Test
  @DisplayName(
      "The lock is held while the method runs, by the name that the argument gives, and free after")
  void held() throws Exception {
    Duration remaining =
        orders.under("1", () -> others.lock("orders:1").inspect().orElseThrow().remaining());
    assertTrue(remaining.compareTo(Duration.ofSeconds(3)) <= 0, "the annotation's lease");
    assertTrue(free("orders:1"));
    boolean otherOrder =
        orders.under(
            "2",
            () ->
                others
                    .lock("orders:1")
                    .tryAcquire()
                    .map(
                        l -> {
                          l.release();
                          return true;
                        })
                    .orElse(false));
    assertTrue(otherOrder, "another argument is another lock");
  }

  @Test
  @DisplayName(
      "Not obtained in time is LockTimeoutException with lock, time and method; the method does"
          + " not run")
  void timeout() throws Exception {
    try (Lease theirs = others.lock("orders:3").acquire()) {
      LockTimeoutException late =
          assertThrows(
              LockTimeoutException.class,
              () ->
                  orders.under(
                      "3",
                      () -> {
                        throw new AssertionError("it ran");
                      }));
      assertTrue(theirs.isValid());
      assertTrue(late.getMessage().contains("'orders:3'"), late::getMessage);
      assertTrue(late.getMessage().contains("within 2s,"), late::getMessage);
      assertTrue(late.getMessage().contains("Orders.under(String, Callable)"), late::getMessage);
      assertTrue(tellsHolder(late), late::getMessage);
    }
  }

  private static boolean tellsHolder(Throwable late) {
    return late.getMessage()
        .matches(".* was not called; it is held by '[^']+', for another \\d+m?s");
  }

  @Test
  @DisplayName("The method's exception is thrown, and the lock is free")
  void throwing() {
    Exception thrown = new java.io.IOException("no");
    assertSame(
        thrown,
        assertThrows(
            java.io.IOException.class,
            () ->
                orders.under(
                    "4",
                    () -> {
                      throw thrown;
                    })));
    assertTrue(free("orders:4"));
  }

  @Test
  @DisplayName("A nested call of the same thread re-enters")
  void reentry() throws Exception {
    assertEquals("inner", orders.under("5", () -> orders.under("5", () -> "inner")));
    assertTrue(free("orders:5"));
  }

  @Test
  @DisplayName(
      "The lease is passed in its parameter, whatever the caller passes; the default lease is the"
          + " manager's")
  void currentLease() {
    Lease lease = orders.patiently("6", null);
    assertEquals("patient:6", lease.lockName());
    assertTrue(
        orders.remaining.compareTo(Duration.ofSeconds(20)) <= 0
            && orders.remaining.compareTo(Duration.ofSeconds(10)) > 0,
        () -> "the manager's lease of 20 s, of which are left " + orders.remaining);
    assertFalse(lease.isValid(), "released by the end of the call");
    assertTrue(orders.patiently("6", lease).fencingToken() > lease.fencingToken());
  }

  @Test
  @DisplayName("Parameters by index and by name, enums by their names, doubled braces")
  void names() {
    UUID id = UUID.randomUUID();
    assertEquals("{7}-" + id + "-x-EU-{}", orders.all(7, id, 'x', Region.EU, null));
  }

  @Test
  @DisplayName("A null argument is refused before anything is locked")
  void nullArgument() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> orders.under(null, () -> "ran"));
    assertTrue(
        refused.getMessage().contains("Orders.under(String, Callable)"), refused::getMessage);
    assertTrue(refused.getMessage().contains("{0} is null"), refused::getMessage);
  }

  @Test
  @DisplayName("The qualifier beside the annotation picks the manager")
  void qualifier() {
    assertEquals("others", orders.holderByTheOthers());
  }

  @Test
  @DisplayName("A lease lost while the method ran is reported after it")
  void lost() {
    assertThrows(LeaseLostException.class, orders::outlive);
  }

  @Test
  @DisplayName("An interrupt while waiting is thrown as the method declares it")
  void interrupted() throws Exception {
    try (Lease a = others.lock("interruptibly").acquire();
        Lease b = others.lock("uninterruptibly").acquire()) {
      assertTrue(a.isValid() && b.isValid());
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, orders::withInterruptedException);
      assertFalse(Thread.interrupted());
      Thread.currentThread().interrupt();
      assertThrows(CancellationException.class, orders::withoutInterruptedException);
      assertTrue(Thread.interrupted(), "the flag is kept");
    }
  }

  /** Many threads add one; returns what was counted. */
  private static int counted(Orders counting, Runnable once) throws Exception {
    counting.counter = 0;
    int threads = 4;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> running = new ArrayList<>();
      CountDownLatch start = new CountDownLatch(threads);
      for (int t = 0; t < threads; t++) {
        running.add(
            pool.submit(
                () -> {
                  start.countDown();
                  start.await();
                  for (int i = 0; i < COUNTS / threads; i++) {
                    once.run();
                  }
                  return null;
                }));
      }
      for (Future<?> each : running) {
        each.get(MOST_SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
    return counting.counter;
  }

  @Test
  @DisplayName(
      "Threads that count without atomics lose nothing; with an object that Guice did not make"
          + " they do")
  void exclusion() throws Exception {
    assertEquals(COUNTS, counted(orders, orders::count));
    Orders unlocked = new Orders();
    int counted = COUNTS;
    for (int i = 0; i < 50 && counted == COUNTS; i++) {
      counted = counted(unlocked, unlocked::count);
    }
    assertTrue(counted < COUNTS, "without the lock nothing was lost, so this proves nothing");
  }
}
