package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.AbandonedHolds;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOwner;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Holds that can't be released any more: noticed, reported once, kept or not as set. */
@Timeout(60)
class AbandonedHoldsTest {
  private static final Duration STEP = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int SOME_ROUNDS = 8;

  /** Used by no other test: a collection reports what they have abandoned in this JVM as well. */
  private static final String NAME = "left-behind";

  private final ManualTime time = new ManualTime();
  private final MapStore store = new MapStore(time);
  private final List<LockEvent.Abandoned> told = new CopyOnWriteArrayList<>();
  private final LogLines log = new LogLines();
  private final List<LockManager> open = new ArrayList<>();
  private final LockManager locks = manager(b -> b);

  private LockManager manager(UnaryOperator<LockManager.Builder> settings) {
    LockManager.Builder builder =
        time.manager(store)
            .listener(
                event -> {
                  if (event instanceof LockEvent.Abandoned abandoned) {
                    told.add(abandoned);
                  }
                });
    LockManager manager = settings.apply(builder).build();
    open.add(manager);
    return manager;
  }

  @AfterEach
  void close() {
    open.forEach(LockManager::close);
    log.close();
  }

  private void aRound() {
    System.gc();
    time.advance(STEP);
  }

  private void awaitTold() {
    awaitTrue(() -> !told.isEmpty());
  }

  private void awaitTrue(BooleanSupplier condition) {
    long begun = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - begun < PATIENCE.toNanos(), "it never came true");
      aRound();
    }
  }

  private void someRounds() {
    for (int i = 0; i < SOME_ROUNDS; i++) {
      aRound();
    }
  }

  private LogRecord onlyLogged() {
    List<LogRecord> logged = log.about(NAME);
    assertEquals(
        1, logged.size(), () -> logged.stream().map(LogRecord::getMessage).toList().toString());
    return logged.get(0);
  }

  private boolean isHeld() {
    return locks.lock(NAME).inspect().isPresent();
  }

  private static void onAThread(Runnable work) throws InterruptedException {
    Thread thread = new Thread(work, "brief\nthread");
    thread.start();
    thread.join();
  }

  private static Lease take(LockManager locks) {
    return locks.lock(NAME).tryAcquire().orElseThrow();
  }

  private static Lease takeAsync(LockManager locks) {
    return locks.lock(NAME).acquireAsync().toCompletableFuture().join();
  }

  @Test
  void aDeadThreadsIsToldAndLoggedOnceAndKept() throws Exception {
    onAThread(() -> take(locks));
    awaitTold();
    someRounds();
    assertEquals(1, told.size());
    assertEquals(NAME, told.get(0).lockName());
    LogRecord logged = onlyLogged();
    String line = logged.getMessage();
    assertTrue(line.contains("lock '" + NAME + "'") && line.contains("'brief\\nthread'"), line);
    assertNull(logged.getThrown());
    assertTrue(isHeld(), "renewal goes on");
  }

  @Test
  void aDeadThreadsThroughTheViewToo() throws Exception {
    onAThread(() -> locks.lock(NAME).asLock().lock());
    awaitTold();
    assertTrue(isHeld());
  }

  @Test
  void aDeadThreadsWhoseHandleIsKeptIsNot() throws Exception {
    List<Lease> kept = new CopyOnWriteArrayList<>();
    onAThread(() -> kept.add(take(locks)));
    someRounds();
    assertEquals(List.of(), told);
    kept.get(0).release();
    assertFalse(isHeld());
  }

  /** A program may take a lock for its life. */
  @Test
  void aLivingThreadsIsNot() throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              locks.lock(NAME).asLock().lock();
              take(locks);
              taken.countDown();
              try {
                over.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.start();
    taken.await();
    someRounds();
    assertEquals(List.of(), told);
    over.countDown();
    thread.join();
    awaitTold();
  }

  @Test
  void anAsynchronousOwnersIsTold() {
    assertTrue(takeAsync(locks).isValid());
    awaitTold();
    assertTrue(isHeld());
  }

  @Test
  void anExplicitOwnersIsToldThoughTheOwnerIsKept() {
    LockOwner owner = LockOwner.unique("nightly");
    assertTrue(locks.lock(NAME).as(owner).tryAcquire().isPresent());
    awaitTold();
    String line = onlyLogged().getMessage();
    assertTrue(line.contains("owner 'nightly'"), line);
    assertTrue(locks.lock(NAME).as(owner).tryAcquire().isPresent(), "it may come back");
  }

  @Test
  void oneHandleOfSeveralIsEnough() {
    LockOwner owner = LockOwner.unique("o");
    assertTrue(locks.lock(NAME).as(owner).tryAcquire().isPresent());
    Lease second = locks.lock(NAME).as(owner).tryAcquire().orElseThrow();
    assertTrue(locks.lock(NAME).as(owner).tryAcquire().isPresent());
    someRounds();
    assertEquals(List.of(), told);
    second.release();
    assertTrue(isHeld());
    awaitTold();
    Reference.reachabilityFence(second);
  }

  @Test
  void theStageOfItsLossIsEnough() {
    CompletionStage<LeaseLoss> lost = takeAsync(locks).lost();
    someRounds();
    assertEquals(List.of(), told);
    assertNotNull(lost.toString());
    Reference.reachabilityFence(lost);
    lost = null;
    awaitTold();
  }

  @Test
  void itExpiresWhereThatIsSetAndWhatHangsOnTheLossRuns() {
    LockManager expiring = manager(b -> b.abandoned(AbandonedHolds.EXPIRE));
    AtomicBoolean heard = new AtomicBoolean();
    takeAsync(expiring).lost().thenRun(() -> heard.set(true));
    awaitTold();
    awaitTrue(() -> !isHeld());
    assertTrue(heard.get());
    assertEquals(1, told.size());
  }

  @Test
  void anOwnerThatComesBackInTimeIsRenewedAgain() {
    LockManager expiring = manager(b -> b.abandoned(AbandonedHolds.EXPIRE));
    LockOwner owner = LockOwner.unique("o");
    assertTrue(expiring.lock(NAME).as(owner).tryAcquire().isPresent());
    awaitTold();
    Lease again = expiring.lock(NAME).as(owner).tryAcquire().orElseThrow();
    someRounds();
    assertTrue(again.isValid());
    Reference.reachabilityFence(again);
  }

  @Test
  void theLogTellsWhereItWasTakenIfThatIsRecorded() throws Exception {
    LockManager recording = manager(LockManager.Builder::recordAcquisitions);
    onAThread(() -> take(recording));
    awaitTold();
    Throwable origin = assertInstanceOf(Throwable.class, onlyLogged().getThrown());
    assertTrue(
        List.of(origin.getStackTrace()).stream()
            .anyMatch(frame -> frame.getClassName().equals(AbandonedHoldsTest.class.getName())));
  }
}
