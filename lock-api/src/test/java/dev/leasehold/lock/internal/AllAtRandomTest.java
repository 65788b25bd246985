package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.internal.acquire.LockTable;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
@DisplayName("Several names, everything at random")
class AllAtRandomTest {
  private static final String[] NAMES = {"a", "b", "c", "d"};
  private static final long SECONDS = Long.getLong("leasehold.seconds", 2);

  private final LateStore store = new LateStore();
  private final AtomicIntegerArray holders = new AtomicIntegerArray(NAMES.length);
  private final AtomicReference<String> wrong = new AtomicReference<>();

  private LockManager manager() {
    return LockManager.over(store)
        .commandTimeout(Duration.ofMillis(30))
        .storeTimeout(Duration.ofMillis(300))
        .closeGrace(Duration.ofMillis(200))
        .build();
  }

  @AfterEach
  void end() {
    store.pool.shutdownNow();
  }

  @Test
  @DisplayName(
      "No holds overlap, nothing hangs, and nothing is left; -Dleasehold.seconds=60 runs longer")
  void random() throws Exception {
    List<LockManager> managers = List.of(manager(), manager());
    long done = contend(managers, SECONDS);
    assertNull(wrong.get());
    store.faults = false;
    awaitAtMost(20, store.store::isEmpty, "something is left");
    assertTrue(done > 0, "no caller got anything done");
    for (LockManager manager : managers) {
      awaitAtMost(5, () -> table(manager) == 0, "something is left of a lock");
      long begun = System.nanoTime();
      manager.close();
      assertTrue(System.nanoTime() - begun < 5_000_000_000L);
    }
  }

  @Test
  @DisplayName("Overlaps are detected, even if the store forgets holders")
  void twin() throws Exception {
    store.forgets = true;
    List<LockManager> managers = List.of(manager(), manager());
    contend(managers, 60); // it ends with the first overlap
    String seen = String.valueOf(wrong.get());
    assertTrue(seen.startsWith("two hold"), seen);
    managers.forEach(LockManager::close);
  }

  /** Eight threads, until the time is up or something is wrong; how often they came through. */
  private long contend(List<LockManager> managers, long seconds) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    List<Thread> threads = new ArrayList<>();
    AtomicLong done = new AtomicLong();
    for (int t = 0; t < 8; t++) {
      LockManager mine = managers.get(t % managers.size());
      Thread thread =
          new Thread(
              () -> {
                while (System.nanoTime() < end && wrong.get() == null) {
                  if (comesThrough(mine)) {
                    done.incrementAndGet();
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join(30_000 + 1000 * seconds);
      assertFalse(thread.isAlive(), () -> "hangs: " + List.of(thread.getStackTrace()));
    }
    return done.get();
  }

  private boolean comesThrough(LockManager manager) {
    try {
      one(manager);
      return true;
    } catch (LockException | InterruptedException e) {
      return false; // of a fault, or of the attempt before
    } catch (Throwable e) {
      StringWriter text = new StringWriter();
      e.printStackTrace(new PrintWriter(text));
      goesWrong(text.toString());
      return false;
    }
  }

  private static void awaitAtMost(int seconds, BooleanSupplier condition, String otherwise) {
    long until = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    Spin.until(() -> condition.getAsBoolean() || System.nanoTime() - until > 0);
    assertTrue(condition.getAsBoolean(), otherwise);
  }

  private static int table(LockManager manager) {
    try {
      Field field = Engine.class.getDeclaredField("locks");
      field.setAccessible(true);
      return ((LockTable) field.get(manager)).all().size();
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private void one(LockManager manager) throws Exception {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    List<String> names = new ArrayList<>(List.of(NAMES));
    Collections.shuffle(names, random);
    names = names.subList(0, 1 + random.nextInt(names.size()));
    DistributedLock lock =
        names.size() == 1
            ? manager.lock(names.get(0))
            : random.nextInt(4) == 0
                ? DistributedLock.all(
                    names.stream().map(manager::lock).toArray(DistributedLock[]::new))
                : manager.all(names.toArray(String[]::new));
    Duration wait = Duration.ofMillis(random.nextInt(40));
    Optional<Lease> found;
    switch (random.nextInt(5)) {
      case 0 -> found = lock.tryAcquire();
      case 1 -> found = lock.tryAcquire(wait);
      case 2 -> found = got(lock.acquireAsync().toCompletableFuture(), random);
      case 3 ->
          found =
              got(lock.tryAcquireAsync(wait).toCompletableFuture(), random).flatMap(lease -> lease);
      default -> {
        Interrupts interrupts = new Interrupts(Thread.currentThread());
        store.pool.schedule(interrupts::send, random.nextInt(20), TimeUnit.MILLISECONDS);
        try {
          found = Optional.of(lock.acquire());
        } catch (InterruptedException e) {
          found = Optional.empty();
        } finally {
          interrupts.end();
        }
      }
    }
    if (found.isPresent()) {
      use(found.get(), names, random);
    }
  }

  /** Interrupts a thread while it wants that, and never afterwards. */
  private static final class Interrupts {
    private final Thread thread;
    private boolean wanted = true;

    Interrupts(Thread thread) {
      this.thread = thread;
    }

    synchronized void send() {
      if (wanted) {
        thread.interrupt();
      }
    }

    /** By the thread itself. */
    synchronized void end() {
      wanted = false;
      Thread.interrupted();
    }
  }

  private <T> Optional<T> got(CompletableFuture<T> asked, ThreadLocalRandom random)
      throws Exception {
    if (random.nextBoolean()) {
      store.pool.schedule(() -> asked.cancel(true), random.nextInt(20_000), TimeUnit.MICROSECONDS);
    }
    try {
      return Optional.of(asked.get(20, TimeUnit.SECONDS));
    } catch (CancellationException e) {
      return Optional.empty();
    } catch (InterruptedException e) { // of the attempt before
      asked.cancel(true);
      return Optional.empty();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LockException failure) {
        throw failure;
      }
      throw e;
    }
  }

  private void use(Lease lease, List<String> names, ThreadLocalRandom random) throws Exception {
    List<Integer> places = names.stream().map(List.of(NAMES)::indexOf).toList();
    for (int place : places) {
      if (holders.incrementAndGet(place) != 1 && lease.isValid()) {
        wrong.compareAndSet(null, "two hold " + NAMES[place]);
      }
    }
    if (random.nextInt(3) == 0) {
      Thread.sleep(random.nextInt(3));
    }
    boolean valid = lease.isValid();
    for (int place : places) {
      holders.decrementAndGet(place);
    }
    List<CompletableFuture<?>> ends = new ArrayList<>();
    if (random.nextInt(4) == 0) {
      Lease part = lease.parts().get(random.nextInt(lease.parts().size()));
      ends.add(CompletableFuture.runAsync(() -> released(part, valid), store.pool));
    }
    if (random.nextInt(4) == 0) {
      ends.add(lease.releaseAsync().toCompletableFuture());
    }
    released(lease, valid);
    for (CompletableFuture<?> end : ends) {
      try {
        end.get(20, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof LockStoreException)) {
          throw e;
        }
      }
    }
  }

  /** Beside overlaps; a store that forgets its holder is to be found out by these alone. */
  private void goesWrong(String how) {
    if (!store.forgets) {
      wrong.compareAndSet(null, how);
    }
  }

  private void released(Lease lease, boolean valid) {
    try {
      lease.release();
    } catch (LeaseLostException e) {
      if (valid) {
        goesWrong("lost: " + e);
      }
    } catch (LockStoreException e) {
      // of a fault
    }
  }
}
