package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.acquire.LockEntry;
import dev.leasehold.lock.internal.acquire.Waiter;
import dev.leasehold.lock.internal.acquire.Waiter.Patience;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.lease.AcquireSpec;
import dev.leasehold.lock.internal.name.Observers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
@DisplayName("The waiters for a name in a process, with every outcome")
class WaitersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final LockOptions SHORT = LockOptions.fixed(Duration.ofSeconds(5));
  private static final LockOptions LONG = LockOptions.fixed(Duration.ofMinutes(1));

  private final ManualTime time = new ManualTime();
  private final HeldBackStore store = new HeldBackStore(time);
  private final LockOwner me = LockOwner.unique("me");

  /** A method of the engine's in which the clock is out of order. */
  private volatile String brokenIn = "";

  private LockManager locks = manager();

  private LockManager manager() {
    return LockManager.over(store)
        .ticker(this::nanos)
        .scheduler(time)
        .workers(Runnable::run)
        .executor(Runnable::run)
        .commandTimeout(Duration.ofSeconds(20))
        .storeTimeout(PATIENCE)
        .closeGrace(Duration.ZERO)
        .build();
  }

  /** How far this thread's reading of the clock is behind, as if it had been slow since. */
  private long behind;

  private long nanos() {
    String method = brokenIn;
    if (!method.isEmpty()
        && StackWalker.getInstance()
            .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals(method)))) {
      throw new IllegalStateException("the clock is out of order");
    }
    return time.nanos() - behind;
  }

  @AfterEach
  void close() {
    brokenIn = "";
    locks.close();
  }

  private DistributedLock lock(String owner) {
    return locks.lock("a").as(LockOwner.unique(owner));
  }

  private static void assertFails(Class<? extends Exception> how, CompletableFuture<?> call) {
    assertTrue(call.isDone(), "it has not ended");
    assertInstanceOf(how, assertThrows(CompletionException.class, call::join).getCause());
  }

  @Test
  @DisplayName(
      "in the order of arrival each asks, and an owner that is let in by one leaves the line")
  void fair() {
    store.more.addAll(List.of(Guarantee.WAKE_UP, Guarantee.WAKE_ONE, Guarantee.FAIR));
    locks.close();
    locks = manager();
    Lease theirs = lock("theirs").tryAcquire().orElseThrow();
    try (LockManager other = manager()) {
      DistributedLock mine = other.lock("a").as(me);
      CompletableFuture<Lease> one = mine.acquireAsync().toCompletableFuture();
      CompletableFuture<Lease> two = mine.acquireAsync().toCompletableFuture();
      assertEquals(5, store.asked.size(), "each asks, and again when it listens");
      theirs.release();
      List.copyOf(store.wakeUps).forEach(Runnable::run);
      assertEquals(2, one.join().holdCount());
      assertEquals(List.of(store.asked.get(4).key()), store.left);
      two.join().release();
      one.join().release();
    }
    assertTrue(store.isEmpty());
  }

  @Test
  @DisplayName("an owner that asks twice is let in twice, also where a queue was empty before")
  void askedTwiceAfterOthers() {
    store.more.add(Guarantee.WAKE_UP);
    locks.close();
    locks = manager();
    try (LockManager other = manager()) {
      Lease theirs = other.lock("a").tryAcquire().orElseThrow();
      CompletableFuture<Lease> first = lock("first").acquireAsync().toCompletableFuture();
      CompletableFuture<Lease> second = lock("second").acquireAsync().toCompletableFuture();
      theirs.release();
      List.copyOf(store.wakeUps).forEach(Runnable::run);
      first.join().release();
      Lease last = second.join();
      DistributedLock mine = locks.lock("a").as(me);
      CompletableFuture<Lease> one = mine.acquireAsync().toCompletableFuture();
      CompletableFuture<Lease> two = mine.acquireAsync().toCompletableFuture();
      assertFalse(one.isDone() || two.isDone(), "held");
      last.release();
      assertTrue(one.isDone() && two.isDone(), "both are served");
      assertEquals(2, one.join().holdCount());
      one.join().release();
      two.join().release();
    }
    assertTrue(store.isEmpty());
  }

  @Test
  @DisplayName("one that entered late, with an earlier time, hides no holder from those before it")
  void enteredLate() {
    Duration wait = Duration.ofSeconds(5);
    time.advance(Duration.ofSeconds(1));
    try (LockManager other = manager()) {
      Lease theirs = other.lock("a").tryAcquire().orElseThrow();
      CompletableFuture<Void> first = new CompletableFuture<>();
      store.acquires = first;
      CompletableFuture<Lease> head = lock("head").acquireAsync().toCompletableFuture();
      time.advance(Duration.ofMillis(1));
      CompletableFuture<Optional<Lease>> next =
          lock("next").tryAcquireAsync(wait).toCompletableFuture();
      behind = Duration.ofMillis(2).toNanos();
      CompletableFuture<Optional<Lease>> late =
          lock("late").tryAcquireAsync(wait).toCompletableFuture();
      behind = 0;
      CompletableFuture<Void> second = new CompletableFuture<>();
      store.acquires = second;
      first.complete(null); // held
      theirs.release();
      second.complete(null);
      assertTrue(head.isDone(), "granted");
      time.advance(wait.plusMillis(10));
      assertTrue(next.isDone() && late.isDone(), "their time is up");
      assertEquals(Optional.empty(), next.join());
      assertEquals(Optional.empty(), late.join());
    }
  }

  @Test
  @DisplayName("one that finds the lock held by what its process gave up fails, and is not empty")
  void heldByLeftover() {
    store.acquires = new CompletableFuture<>();
    CompletableFuture<Lease> givenUp = lock("gone").acquireAsync().toCompletableFuture();
    givenUp.cancel(true);
    store.releasesFail(Kind.UNREACHABLE);
    store.acquires.complete(null);
    CompletableFuture<Optional<Lease>> asked =
        lock("mine").tryAcquireAsync(Duration.ZERO).toCompletableFuture();
    time.advance(Duration.ofSeconds(10));
    assertFalse(asked.isDone(), "the release may still be confirmed");
    time.advance(Duration.ofSeconds(20)); // the command time-out has jitter
    assertFails(LockStoreException.class, asked);
  }

  @Test
  @DisplayName("a waiter does not ask the store while another owner of its process has the lock")
  void heldHereMeanwhile() {
    try (LockManager other = manager()) {
      Lease theirs = other.lock("a").as(me).tryAcquire().orElseThrow();
      CompletableFuture<Lease> waiter = lock("waiter").acquireAsync().toCompletableFuture();
      theirs.release();
      Lease quick = lock("quick").tryAcquire().orElseThrow(); // between two questions of the waiter
      int asked = store.asked.size();
      time.advance(Duration.ofSeconds(5));
      assertEquals(asked, store.asked.size());
      quick.release();
      waiter.join().release();
    }
    assertTrue(store.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("a re-entry whose lease has to grow, and that leaves, leaves no handle behind")
  void growsAndLeaves(boolean cancelled) {
    Lease first = locks.lock("a", SHORT).as(me).tryAcquire().orElseThrow();
    store.renewals = new CompletableFuture<>();
    CompletableFuture<Optional<Lease>> again =
        locks.lock("a", LONG).as(me).tryAcquireAsync(Duration.ofSeconds(1)).toCompletableFuture();
    assertEquals(2, first.holdCount());
    if (cancelled) {
      again.cancel(false);
    } else {
      time.advance(Duration.ofSeconds(1));
      assertFails(LockStoreException.class, again);
    }
    assertEquals(1, first.holdCount());
    store.renewals.complete(null);
    assertEquals(1, first.holdCount());
    first.release();
    assertTrue(store.isEmpty());
  }

  @Test
  @DisplayName("a view's re-entry waits for its lease to grow, however short its time is")
  void growsForAView() throws Exception {
    Lock view = locks.lock("a", LONG).asLock();
    FutureTask<Boolean> twice =
        new FutureTask<>(
            () -> {
              locks.lock("a", SHORT).asLock().lock();
              store.renewals = new CompletableFuture<>();
              return view.tryLock(1, TimeUnit.NANOSECONDS);
            });
    Thread thread = new Thread(twice);
    thread.start();
    Spin.until(() -> thread.getState() == Thread.State.TIMED_WAITING || twice.isDone());
    store.renewals.complete(null);
    assertTrue(twice.get(10, TimeUnit.SECONDS));
  }

  @Test
  @DisplayName("a decided one can't be given up any more")
  void decided() {
    LeaseHandle lease = (LeaseHandle) locks.lock("a").as(me).tryAcquire().orElseThrow();
    LockEntry entry = TogetherSetting.table(locks).all().iterator().next();
    Waiter again =
        new Waiter(
            entry,
            me,
            LockOptions.defaults(),
            AcquireSpec.whole(null),
            Patience.UNBOUNDED,
            0,
            null,
            Observers.NONE);
    assertTrue(entry.enter(again, null));
    assertEquals(2, again.outcome.join().orElseThrow().holdCount());
    assertFalse(entry.giveUp(again));
    assertEquals(2, lease.holdCount());
  }

  @Test
  @DisplayName("those without a bound fail when the store has failed for too long to each of them")
  void outOfPatience() {
    store.acquiresFail = new LockStoreException(Kind.UNAVAILABLE, "of the test's");
    CompletableFuture<Lease> first = lock("first").acquireAsync().toCompletableFuture();
    CompletableFuture<?> timed =
        lock("timed").tryAcquireAsync(Duration.ofHours(1)).toCompletableFuture();
    time.advance(PATIENCE.minusSeconds(10));
    CompletableFuture<Lease> later = lock("later").acquireAsync().toCompletableFuture();
    CompletableFuture<Lease> same = lock("same").acquireAsync().toCompletableFuture();
    assertFalse(first.isDone());
    time.advance(PATIENCE.minusSeconds(10));
    assertFails(LockStoreException.class, first);
    assertFalse(later.isDone() || same.isDone() || timed.isDone());
    time.advance(PATIENCE);
    assertFails(LockStoreException.class, later);
    assertFails(LockStoreException.class, same);
    assertFalse(timed.isDone());
    timed.cancel(false);
  }

  @Test
  @DisplayName("one that asks once fails as its manager closes, and not only at the answer")
  void closed() throws Exception {
    store.acquires = new CompletableFuture<>();
    CompletableFuture<?> asked = lock("once").tryAcquireAsync(Duration.ZERO).toCompletableFuture();
    Thread closing = new Thread(locks::close);
    closing.start();
    Spin.until(asked::isDone);
    assertFails(LockManagerClosedException.class, asked);
    store.acquires.complete(null);
    closing.join();
  }

  @Test
  @DisplayName("where a hold can't begin its waiter fails, and the lease goes back")
  void cannotBegin() {
    brokenIn = "begin";
    CompletableFuture<Lease> waits = lock("waits").acquireAsync().toCompletableFuture();
    brokenIn = "";
    assertFails(LockException.class, waits);
    time.advance(Duration.ofSeconds(1));
    assertTrue(store.isEmpty());
    lock("next").tryAcquire().orElseThrow().release();
  }

  @Test
  @DisplayName("if one throws while entering, it fails, and the others are unaffected")
  void cannotComeIn() {
    Lease held = lock("holder").tryAcquire().orElseThrow();
    brokenIn = "reenter";
    CompletableFuture<?> comes = lock("comes").tryAcquireAsync(Duration.ZERO).toCompletableFuture();
    brokenIn = "";
    assertFails(LockException.class, comes);
    held.ensureValid();
    held.release();
    assertTrue(store.isEmpty());
  }
}
