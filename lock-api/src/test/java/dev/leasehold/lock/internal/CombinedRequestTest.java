package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.acquire.LockEntry;
import dev.leasehold.lock.internal.several.AllLeases;
import dev.leasehold.lock.internal.several.AllLocks;
import dev.leasehold.lock.internal.several.CombinedNames;
import dev.leasehold.lock.internal.several.CombinedRequest;
import dev.leasehold.lock.internal.several.CombinedStep;
import dev.leasehold.lock.internal.several.CombinedStep.Round;
import dev.leasehold.lock.internal.several.GatherContext;
import dev.leasehold.lock.internal.threads.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("One request for several names: the effects of an answer, and of a wait that ended")
class CombinedRequestTest extends TogetherSetting {
  private static final LockOwner ME = LockOwner.unique("me");
  private static final LockOwner RIVAL = LockOwner.unique("rival");

  private CompletableFuture<Round<Lease>> ask() {
    return new CombinedRequest(combined("a", "b"), List.of(0, 1), List.of()).take(ME);
  }

  private static <T> T now(CompletableFuture<T> outcome) {
    assertTrue(outcome.isDone(), "it has not ended");
    return outcome.join();
  }

  private List<String> contended() {
    return events.stream()
        .filter(LockEvent.Contended.class::isInstance)
        .map(LockEvent::lockName)
        .toList();
  }

  private List<String> acquired() {
    return events.stream()
        .filter(LockEvent.Acquired.class::isInstance)
        .map(LockEvent::lockName)
        .toList();
  }

  private List<String> names() {
    return table(manager).all().stream().map(LockEntry::name).sorted().toList();
  }

  @Test
  @DisplayName("a free name is not refused while another owner has the rest")
  void refused() {
    Lease ours = manager.lock("b").as(RIVAL).tryAcquire().orElseThrow();
    assertEquals(new Round<Lease>(List.of(), 1, false), now(ask()));
    assertEquals(List.of(), contended());
    assertEquals(0, store.steps());
    assertEquals(List.of("b"), names());
    ours.release();
    Lease theirs = other.lock("b").tryAcquire().orElseThrow();
    assertEquals(new Round<Lease>(List.of(), 1, false), now(ask()));
    assertEquals(List.of("b"), contended());
    assertEquals(1, store.steps());
    assertEquals(List.of(), names());
    theirs.release();
  }

  @Test
  @DisplayName("one that is still being released is refused in doubt, and at once")
  void inDoubt() {
    Lease before = manager.lock("b").as(RIVAL).tryAcquire().orElseThrow();
    store.releasesFail(Kind.UNAVAILABLE);
    assertThrows(LockStoreException.class, before::release);
    assertEquals(new Round<Lease>(List.of(), 1, true), now(ask()));
    assertEquals(1, store.steps());
    store.releasesFail(null);
    time.advance(Duration.ofMinutes(1));
    assertTrue(store.isEmpty());
    assertEquals(List.of(), names());
  }

  @Test
  @DisplayName("once the doubt is resolved, a caller that asks once gets one token for all")
  void oneTokenAfterDoubt() {
    Lease before = manager.lock("b").as(RIVAL).tryAcquire().orElseThrow();
    store.releasesFail(Kind.UNAVAILABLE);
    assertThrows(LockStoreException.class, before::release);
    CombinedNames names = combined("a", "b", "c");
    List<DistributedLock> locks =
        names.names().stream().map(name -> manager.lock(name, names.options()).as(ME)).toList();
    CombinedStep<Lease> step = (places, taken) -> names.take(ME, places, taken);
    CompletableFuture<Optional<Lease>> asked =
        AllLocks.async(locks, step, GatherContext.of(new Clock(time, time, Runnable::run)))
            .take(
                Optional.of(Duration.ZERO),
                found -> found.map(all -> AllLeases.of("", all, names)));
    assertFalse(asked.isDone(), "the doubt is not resolved");
    store.releasesFail(null);
    time.advance(Duration.ofSeconds(1));
    Lease all = now(asked).orElseThrow();
    long token = all.fencingToken();
    all.parts().forEach(part -> assertEquals(token, part.fencingToken()));
    assertEquals(2, store.steps());
    all.release();
    assertTrue(store.isEmpty());
  }

  @Test
  @DisplayName("an acquisition that is given up gets nothing, whatever the store answers then")
  void givenUp() {
    store.gate = new CompletableFuture<>();
    CompletableFuture<Round<Lease>> asked = ask();
    asked.cancel(false);
    store.gate.complete(null);
    assertEquals(List.of(), acquired());
    assertTrue(store.isEmpty());
    assertEquals(List.of(), names());
  }

  @Test
  @DisplayName("if it gives up as it gets the last one, all go back")
  void givenUpAtTheLastMoment() {
    store.gate = new CompletableFuture<>();
    CompletableFuture<Round<Lease>> asked = ask();
    hears =
        event -> {
          if (event instanceof LockEvent.Acquired && event.lockName().equals("b")) {
            asked.cancel(false);
          }
        };
    store.gate.complete(null);
    assertEquals(List.of("a", "b"), acquired());
    assertTrue(asked.isCancelled());
    assertTrue(store.isEmpty());
    assertEquals(List.of(), names());
  }

  @Test
  @DisplayName("if it gives up when only some have come to ask, it asks for none")
  void givenUpBetween() {
    LockOptions hour = LockOptions.fixed(Duration.ofHours(1));
    LockOptions brief = LockOptions.fixed(Duration.ofSeconds(1));
    manager.lock("b", brief).as(RIVAL).tryAcquire().orElseThrow();
    Lease first = manager.lock("first", hour).as(RIVAL).tryAcquire().orElseThrow();
    CompletableFuture<Lease> second =
        manager.lock("first", hour).acquireAsync().toCompletableFuture();
    AtomicReference<CompletableFuture<Round<Lease>>> asked = new AtomicReference<>();
    second.thenRun(
        () -> { // what its cells put down is done when this has ended
          ahead.set(Duration.ofSeconds(2).toNanos());
          asked.set(ask());
          assertFalse(asked.get().isDone());
        });
    hears =
        event -> {
          if (event instanceof LockEvent.Lost) { // of b, after a has come to ask
            asked.get().cancel(false);
          }
        };
    first.release();
    assertTrue(asked.get().isCancelled());
    assertEquals(0, store.steps());
    assertEquals(List.of("b", "first"), names());
    second.join().release();
  }
}
