package dev.leasehold.lock.internal;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.internal.threads.Pool;
import dev.leasehold.lock.internal.threads.Timers;
import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever is thrown, and wherever: every step ends, and the name is usable afterwards. */
@Timeout(60)
class ErrorsTest {
  private static final Duration BRIEF = Duration.ofMillis(300);

  private final MapStore map = new MapStore(Ticker.system());
  private LockManager locks =
      LockManager.over(map)
          .closeGrace(Duration.ofMillis(50))
          .storeTimeout(Duration.ofMillis(200))
          .build();

  @AfterEach
  void close() {
    locks.close();
  }

  private void open(UnaryOperator<LockManager.Builder> settings) {
    locks.close();
    locks = settings.apply(LockManager.over(map).closeGrace(Duration.ofMillis(50))).build();
  }

  private void checkUsable(String name) throws Exception {
    CompletableFuture<Lease> another =
        locks.lock(name).as(LockOwner.unique("other")).acquireAsync().toCompletableFuture();
    another.get(20, SECONDS).release();
    locks.lock(name).tryAcquire().orElseThrow().release();
  }

  private static void checkTold(LockStoreException failure) {
    assertEquals(LockStoreException.Kind.UNAVAILABLE, failure.kind());
    assertTrue(
        failure.getCause() instanceof MapStore.Trouble
            || String.valueOf(failure.getMessage()).contains("without an answer")
            || failure.getCause() instanceof NullPointerException,
        failure::toString);
    assertEquals(1, String.valueOf(failure.getMessage()).lines().count(), failure::toString);
  }

  @ParameterizedTest
  @EnumSource(MapStore.Wrong.class)
  void acquiring(MapStore.Wrong wrong) throws Exception {
    map.goWrong(wrong);
    checkTold(assertThrows(LockStoreException.class, () -> locks.lock("a").tryAcquire()));
    LockStoreException unbounded =
        assertThrows(LockStoreException.class, () -> locks.lock("a").acquire());
    assertEquals(LockStoreException.Kind.UNAVAILABLE, unbounded.kind());
    assertThrows(
        LockStoreException.class, () -> locks.lock("a").tryAcquire(Duration.ofMillis(200)));
    ExecutionException async =
        assertThrows(
            ExecutionException.class,
            () -> locks.lock("a").acquireAsync().toCompletableFuture().get(20, SECONDS));
    assertInstanceOf(LockStoreException.class, async.getCause());
    map.goWrong(null);
    checkUsable("a");
  }

  @ParameterizedTest
  @EnumSource(MapStore.Wrong.class)
  void releasing(MapStore.Wrong wrong) throws Exception {
    Lease lease = locks.lock("a").acquire();
    map.goWrong(wrong);
    checkTold(assertThrows(LockStoreException.class, lease::release));
    map.goWrong(null);
    checkUsable("a");
  }

  @ParameterizedTest
  @EnumSource(MapStore.Wrong.class)
  void renewing(MapStore.Wrong wrong) throws Exception {
    Lease extended = locks.lock("b", LockOptions.fixed(Duration.ofSeconds(4))).acquire();
    Lease renewed =
        locks
            .lock("a", LockOptions.builder().automaticLease(BRIEF.multipliedBy(2)).build())
            .acquire();
    map.goWrong(wrong);
    assertThrows(LockStoreException.class, () -> extended.extend(Duration.ofSeconds(5)));
    assertThrows(
        LockStoreException.class,
        () -> locks.lock("b", LockOptions.fixed(Duration.ofSeconds(5))).tryAcquire());
    LeaseLoss loss = renewed.lost().toCompletableFuture().get(20, SECONDS);
    assertEquals(LeaseLoss.Reason.EXPIRED, loss.reason());
    map.goWrong(null);
    checkUsable("c");
  }

  @ParameterizedTest
  @EnumSource(MapStore.Wrong.class)
  void inspecting(MapStore.Wrong wrong) {
    map.goWrong(wrong);
    checkTold(assertThrows(LockStoreException.class, () -> locks.lock("a").inspect()));
  }

  @Test
  void anAnswerThatIsNullNamesTheOperationTheLockAndTheStore() throws Exception {
    Lease lease = locks.lock("a").acquire();
    map.goWrong(MapStore.Wrong.NULL_ANSWER);
    checkNullNamed("acquire", () -> locks.lock("b").tryAcquire());
    checkNullNamed("inspect", () -> locks.lock("b").inspect());
    checkNullNamed("release", lease::release);
  }

  private static void checkNullNamed(String operation, Executable call) {
    LockStoreException failure = assertThrows(LockStoreException.class, call);
    String words = String.valueOf(failure.getMessage());
    String lock = operation.equals("release") ? "'a'" : "'b'";
    assertTrue(
        words.contains("Could not " + operation + " lock " + lock)
            && words.endsWith(MapStore.class.getName() + " completed the call without an answer"),
        words);
  }

  @Test
  void renewalsGoOnAfterAnError() throws Exception {
    Lease lease =
        locks
            .lock("a", LockOptions.builder().automaticLease(Duration.ofSeconds(4)).build())
            .acquire();
    int before = map.calls();
    map.goWrong(MapStore.Wrong.ERROR);
    Spin.until(() -> map.calls() != before);
    map.goWrong(null);
    assertTrue(map.isRenewed("a"), "it is tried again while the lease lasts");
    lease.release();
  }

  @Test
  void aRenewerThatThrows() throws Exception {
    open(b -> b.renewer(new Throwing()));
    LockOptions brief = LockOptions.builder().automaticLease(BRIEF).build();
    Lease lease = locks.lock("a", brief).acquire();
    LeaseLoss loss = lease.lost().toCompletableFuture().get(20, SECONDS);
    assertEquals(LeaseLoss.Reason.EXPIRED, loss.reason(), "it is not renewed");
    assertThrows(RuntimeException.class, lease::release);
    checkUsable("a");
  }

  private static final class Throwing implements LeaseRenewer {
    @Override
    public void start(Context context) {}

    @Override
    public void add(RenewableLease lease) {
      throw new MapStore.Trouble();
    }

    @Override
    public void remove(RenewableLease lease) {
      throw new MapStore.Trouble();
    }

    @Override
    public void close() {
      throw new MapStore.Trouble();
    }
  }

  @Test
  void randomnessThatThrows() throws Exception {
    AtomicBoolean broken = new AtomicBoolean(true);
    open(
        b ->
            b.tokenRandom(
                () -> {
                  if (broken.get()) {
                    throw new MapStore.Trouble();
                  }
                  return System.nanoTime();
                }));
    assertThrows(LockStoreException.class, () -> locks.lock("a").tryAcquire());
    assertThrows(LockStoreException.class, () -> locks.lock("a").acquire());
    broken.set(false);
    checkUsable("a");
  }

  @Test
  void aSchedulerThatRefuses() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    open(
        b ->
            b.scheduler(
                (delay, task) -> {
                  if (full.get()) {
                    throw new RejectedExecutionException("shut down");
                  }
                  Thread thread =
                      new Thread(
                          () -> {
                            try {
                              SECONDS.sleep(delay.toSeconds() + 1);
                              task.run();
                            } catch (InterruptedException e) {
                              // Cancelled.
                            }
                          });
                  thread.setDaemon(true);
                  thread.start();
                  return thread::interrupt;
                }));
    full.set(true);
    Lease lease = locks.lock("a", LockOptions.fixed(BRIEF)).acquire();
    assertEquals(
        LeaseLoss.Reason.EXPIRED, lease.lost().toCompletableFuture().get(20, SECONDS).reason());
    assertThrows(RuntimeException.class, lease::release);
    checkUsable("a");
  }

  // ---- threads that can't be had ----

  @Test
  void noThreadForAWhile() throws Exception {
    AtomicInteger left = new AtomicInteger(3);
    try (Timers timers = new Timers(Thread::new)) {
      Pool pool =
          new Pool(
              task ->
                  new Thread(task) {
                    @Override
                    public void start() {
                      if (left.getAndDecrement() > 0) {
                        throw new OutOfMemoryError("unable to create native thread");
                      }
                      super.start();
                    }
                  },
              timers);
      CountDownLatch ran = new CountDownLatch(2);
      pool.execute(ran::countDown);
      pool.execute(ran::countDown);
      assertTrue(ran.await(20, SECONDS), "what was given is done once there is a thread");
      assertTrue(left.get() < 0);
      pool.close();
    }
  }

  @Test
  void threadsThatAreStuckDoNotStopTheRest() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    try (Timers timers = new Timers(Thread::new)) {
      Pool pool = new Pool(Thread::new, timers);
      for (int i = 0; i < 300; i++) {
        pool.execute(
            () -> {
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
      }
      CountDownLatch ran = new CountDownLatch(1);
      pool.execute(ran::countDown);
      assertTrue(ran.await(20, SECONDS));
      end.countDown();
      pool.close();
    }
  }

  @Test
  void howLongTheStoreWasOfNoUseIsWrittenAsSettingsAre() {
    map.goWrong(MapStore.Wrong.FAILED_WITH_ERROR);
    String message =
        assertThrows(
                LockStoreException.class, () -> locks.lock("a").tryAcquire(Duration.ofMillis(120)))
            .getMessage();
    assertTrue(message.matches("the store has failed for \\d+ms: .*"), message);
  }
}
