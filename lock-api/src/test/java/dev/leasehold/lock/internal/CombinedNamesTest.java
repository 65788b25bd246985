package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.MultiLockStore.Answer;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("Several names in one step of the store")
class CombinedNamesTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String[] EIGHT = {"a", "b", "c", "d", "e", "f", "g", "h"};

  private final TogetherStore store = new TogetherStore(Ticker.system());
  private final LockManager manager =
      LockManager.over(store).closeGrace(Duration.ofMillis(50)).build();
  private final LockManager other =
      LockManager.over(store).closeGrace(Duration.ofMillis(50)).build();
  private final DistributedLock all = manager.all(EIGHT);

  @AfterEach
  void close() {
    manager.close();
    other.close();
  }

  @Test
  @DisplayName("take one call to acquire, also for waiters, and have one token")
  void areOneCall() throws Exception {
    Lease lease = all.tryAcquire().orElseThrow();
    assertEquals(1, store.calls());
    long token = lease.fencingToken();
    lease.release();
    assertTrue(store.isEmpty());
    int before = store.calls();
    Lease next = all.acquire();
    assertEquals(before + 1, store.calls());
    assertTrue(next.fencingToken() > token);
    next.release();
    before = store.calls();
    Lease last = all.acquireAsync().toCompletableFuture().get(20, TimeUnit.SECONDS);
    assertEquals(before + 1, store.calls());
    last.release();
  }

  @Test
  @DisplayName("are refused by one call, and by none where this process has one")
  void areRefused() throws Exception {
    Lease theirs = other.lock("e").acquire();
    assertTrue(all.tryAcquire().isEmpty());
    assertEquals(1, store.steps());
    theirs.release();
    Lease ours = manager.lock("e").as(LockOwner.unique("rival")).acquire();
    assertTrue(all.tryAcquire().isEmpty());
    assertTrue(all.tryAcquireAsync(Duration.ZERO).toCompletableFuture().join().isEmpty());
    assertEquals(1, store.steps());
    ours.release();
    assertTrue(store.isEmpty());
  }

  @Test
  @DisplayName("a waiter also has one token, larger than all before it")
  void whoWaits() throws Exception {
    Lease theirs = other.lock("e").acquire();
    CompletableFuture<Lease> async = all.acquireAsync().toCompletableFuture();
    CompletableFuture<Lease> blocking = new CompletableFuture<>();
    Thread thread = new Thread(() -> blocking.complete(waited()));
    thread.start();
    Spin.until(() -> store.steps() >= 2); // both have asked
    long before = theirs.fencingToken();
    theirs.release();
    CompletableFuture.anyOf(async, blocking).get(20, TimeUnit.SECONDS);
    Lease first = async.isDone() ? async.get() : blocking.get();
    long token = first.fencingToken();
    assertTrue(token > before);
    first.parts().forEach(part -> assertEquals(token, part.fencingToken()));
    first.release();
    Lease second = async.get(20, TimeUnit.SECONDS);
    second = second == first ? blocking.get(20, TimeUnit.SECONDS) : second;
    assertTrue(second.fencingToken() > token);
    second.release();
    assertTrue(other.lock("e").acquire().fencingToken() > second.parts().get(0).fencingToken());
  }

  private Lease waited() {
    try {
      return all.acquire();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @DisplayName("one that is re-entered inside has their token")
  void inside() throws Exception {
    Lease lease = all.acquire();
    Lease inner = manager.lock("c").acquire();
    assertEquals(lease.fencingToken(), inner.fencingToken());
    lease.release();
    assertTrue(inner.isValid());
    assertTrue(other.lock("c").tryAcquire().isEmpty());
    assertTrue(other.lock("d").tryAcquire().isPresent());
    inner.release();
  }

  @Test
  @DisplayName("where one was held before, the rest is taken in one step, without a common token")
  void reentry() throws Exception {
    Lease outer = manager.lock("c").acquire();
    int before = store.calls();
    Lease lease = all.acquire();
    assertEquals(before + 1, store.calls());
    assertThrows(UnsupportedOperationException.class, lease::fencingToken);
    assertTrue(lease.parts().stream().allMatch(part -> part.fencingToken() > 0));
    lease.release();
    assertTrue(outer.isValid());
    outer.release();
    assertTrue(store.isEmpty());
  }

  @Test
  @DisplayName("one that was re-entered while the rest was asked for keeps the token it showed")
  void reentryMeanwhile() throws Exception {
    LockOwner me = LockOwner.unique("me");
    Lease theirs = other.lock("a").acquire();
    CompletableFuture<Lease> asked = all.as(me).acquireAsync().toCompletableFuture();
    Spin.until(() -> store.steps() >= 1);
    store.gate = new CompletableFuture<>();
    theirs.release();
    Spin.until(() -> store.steps() >= 2); // it has a, and asks for the rest beside it
    Lease single = manager.lock("a").as(me).tryAcquire().orElseThrow();
    long shown = single.fencingToken();
    store.gate.complete(null);
    Lease lease = asked.get(20, TimeUnit.SECONDS);
    assertEquals(shown, single.fencingToken());
    assertEquals(shown, lease.parts().get(0).fencingToken()); // or single's would be refused
    assertTrue(lease.parts().get(1).fencingToken() > shown);
    assertThrows(UnsupportedOperationException.class, lease::fencingToken);
    assertEquals(shown, manager.lock("a").as(me).tryAcquire().orElseThrow().fencingToken());
    lease.release();
    assertTrue(single.isValid());
  }

  @Test
  @DisplayName("one that has numbers for hand-overs left keeps its token beside the rest")
  void numbersLeft() throws Exception {
    LockOwner me = LockOwner.unique("me");
    Lease theirs = other.lock("a").acquire();
    CompletableFuture<Lease> single = manager.lock("a").as(me).acquireAsync().toCompletableFuture();
    CompletableFuture<Lease> asked = all.as(me).acquireAsync().toCompletableFuture();
    Spin.until(() -> store.steps() >= 1);
    store.gate = new CompletableFuture<>();
    theirs.release();
    Spin.until(() -> store.steps() >= 2); // it re-entered a, and asks for the rest
    long shown = single.join().fencingToken();
    single.join().release();
    store.gate.complete(null);
    Lease lease = asked.get(20, TimeUnit.SECONDS);
    assertEquals(shown, lease.parts().get(0).fencingToken()); // the next one's comes after it
    assertTrue(lease.parts().get(1).fencingToken() > shown);
    lease.release();
  }

  @Test
  @DisplayName("are taken one by one with a minimum hold, and where the store can't")
  void fallBack() throws Exception {
    LockOptions minimum = LockOptions.builder().atLeast(Duration.ofMillis(1)).build();
    Lease lease = manager.all(List.of("a", "b"), minimum).acquire();
    assertThrows(UnsupportedOperationException.class, lease::fencingToken);
    lease.release();
    manager.all("a2", "elsewhere").acquire().release();
    manager.all("a3").acquire().release();
    assertEquals(0, store.steps());
  }

  @Test
  @DisplayName("are taken one by one if the store itself says no")
  void refusedByTheStore() throws Exception {
    store.fails = new LockStoreException(Kind.REFUSED, "no such thing here");
    all.tryAcquire().orElseThrow().release();
    all.acquire().release();
    all.acquireAsync().toCompletableFuture().get(20, TimeUnit.SECONDS).release();
    assertTrue(store.isEmpty());
  }

  @Test
  @DisplayName("a lost answer leaves nothing behind, and the waiter continues")
  void lostAnswer() throws Exception {
    store.fails = new LockStoreException(Kind.UNAVAILABLE, "the answer was lost");
    store.doesItAllTheSame = true;
    assertThrows(LockStoreException.class, all::tryAcquire);
    Spin.until(store::isEmpty); // what it may have taken is released in the background
    CompletionException failed =
        assertThrows(
            CompletionException.class,
            () -> all.tryAcquireAsync(Duration.ZERO).toCompletableFuture().join());
    assertInstanceOf(LockStoreException.class, failed.getCause());
    Spin.until(store::isEmpty);
    // A waiter asks for one by itself, and fails with the rest, as where it takes one by one.
    assertThrows(LockStoreException.class, all::acquire);
    Spin.until(store::isEmpty);
    store.fails = null;
    all.acquire().release();
    assertTrue(store.isEmpty());
  }

  @Test
  @DisplayName("an answer of no sense is a failure, and leaves nothing behind")
  void senseless() {
    store.says = answer -> new Answer.Granted(nothing(), SOON);
    failsUnavailable(all.tryAcquireAsync(Duration.ZERO).toCompletableFuture());
    store.says = answer -> new Answer.Granted(OptionalLong.of(1), nothing());
    failsUnavailable(all.tryAcquireAsync(Duration.ZERO).toCompletableFuture());
    store.says =
        answer -> {
          Map<Integer, Held> broken = nothing();
          return new Answer.Refused(broken);
        };
    failsUnavailable(all.tryAcquireAsync(Duration.ZERO).toCompletableFuture());
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // what the store ought not to say
  private static <T> T nothing() {
    return null;
  }

  private void failsUnavailable(CompletableFuture<?> call) {
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> call.get(5, TimeUnit.SECONDS));
    assertEquals(
        Kind.UNAVAILABLE, assertInstanceOf(LockStoreException.class, failed.getCause()).kind());
    Spin.until(store::isEmpty); // what it may have given is released in the background
  }

  @Test
  @DisplayName("one that is cancelled while the store is asked leaves nothing behind")
  void cancelled() {
    store.gate = new CompletableFuture<>();
    CompletableFuture<Lease> asked = all.acquireAsync().toCompletableFuture();
    CompletableFuture<Optional<Lease>> other =
        manager.all("x", "y").tryAcquireAsync(SOON).toCompletableFuture();
    assertTrue(asked.cancel(false));
    assertFalse(store.isEmpty());
    store.gate.complete(null);
    other.join().orElseThrow().release();
    Spin.until(store::isEmpty);
  }

  @Test
  @DisplayName("a closed manager says so, also while the store is asked")
  void closed() {
    store.gate = new CompletableFuture<>();
    LockManager brief = LockManager.over(store).commandTimeout(Duration.ofMillis(50)).build();
    DistributedLock both = brief.all("x", "y");
    CompletableFuture<Lease> asked = both.acquireAsync().toCompletableFuture();
    brief.close();
    store.gate.complete(null);
    CompletionException failed = assertThrows(CompletionException.class, asked::join);
    assertInstanceOf(LockManagerClosedException.class, failed.getCause());
    assertThrows(LockManagerClosedException.class, both::tryAcquire);
    assertThrows(LockManagerClosedException.class, both::acquire);
  }
}
