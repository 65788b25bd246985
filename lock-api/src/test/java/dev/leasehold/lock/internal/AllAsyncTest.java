package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.several.CombinedStep.Round;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("Several at once without blocking: the effect of each answer")
class AllAsyncTest extends AllAsyncSetting {
  @Test
  @DisplayName(
      "after a failed request each is asked alone by those with time left, if the store"
          + " failed")
  void questionFails() {
    CompletableFuture<?> patient = withoutBound(step(), a, b);
    question().answer().completeExceptionally(failure(Kind.UNREACHABLE));
    assertEquals(List.of("a"), asked);
    assertFalse(patient.isDone());

    asked.clear();
    CompletableFuture<?> once = async(step(), a, b).take(Optional.of(Duration.ZERO), found -> 1);
    LockStoreException failure = failure(Kind.UNREACHABLE);
    question().answer().completeExceptionally(failure);
    assertSame(failure, failureOf(once));

    IllegalStateException broken = new IllegalStateException("of the test's");
    CompletableFuture<?> anything = withoutBound(step(), a, b);
    question().answer().completeExceptionally(broken);
    assertSame(broken, failureOf(anything));
    assertEquals(List.of(), asked);
  }

  @Test
  @DisplayName("if the store refuses such requests, it continues one by one with what it has")
  void questionIsRefused() {
    CompletableFuture<?> none = take(step(), a, b);
    question().answer().completeExceptionally(failure(Kind.REFUSED));
    assertEquals(List.of("a PT1S"), asked, "it has nothing, and waits for the first");
    assertFalse(none.isDone());

    asked.clear();
    CompletableFuture<Optional<List<Lease>>> some = take(step(), a, b, c);
    refuse(1, false);
    b.grant();
    assertEquals(List.of(0, 2), question().places());
    assertEquals(List.of(b.lease), question().beside());
    question().answer().completeExceptionally(failure(Kind.REFUSED));
    assertEquals(List.of("b PT1S", "a PT0S"), asked, "it has b, and does not wait");
    a.grant();
    c.grant();
    assertEquals(List.of("b PT1S", "a PT0S", "c PT0S"), asked);
    assertEquals(Optional.of(List.of(a.lease, b.lease, c.lease)), some.join());
    assertEquals(0, a.released + b.released + c.released);
  }

  @Test
  @DisplayName("a pause is as long as it was drawn, and ends with the time to wait")
  void pauses() {
    CompletableFuture<?> longer = take(null, a, b);
    a.grant();
    b.refuse();
    time.advance(Duration.ofNanos(PAUSE - 1));
    assertEquals(2, asked.size());
    time.advance(Duration.ofNanos(1));
    assertEquals("b PT0.9995S", asked.get(2));
    assertFalse(longer.isDone());

    CompletableFuture<Optional<List<Lease>>> shorter =
        async(null, a, b).take(Optional.of(Duration.ofNanos(PAUSE - 1)), Function.identity());
    a.grant();
    b.refuse();
    int before = asked.size();
    time.advance(Duration.ofNanos(PAUSE - 1));
    assertEquals(Optional.empty(), shorter.join());
    assertEquals(before, asked.size(), "there is no time to ask again");
  }

  @Test
  @DisplayName(
      "locks are asked in turn, beginning with the one that was refused, until all are had")
  void inTurn() {
    CompletableFuture<Optional<List<Lease>>> all = withoutBound(null, a, b, c);
    a.latest().complete(a.lease);
    b.grant();
    c.refuse();
    time.advance(Duration.ofNanos(PAUSE));
    c.latest().complete(c.lease);
    a.grant();
    assertFalse(all.isDone(), "b is missing");
    b.grant();
    assertEquals(List.of("a", "b PT0S", "c PT0S", "c", "a PT0S", "b PT0S"), asked);
    assertEquals(Optional.of(List.of(a.lease, b.lease, c.lease)), all.join());
  }

  @Test
  @DisplayName("the first one is asked for too, where the others were had before it")
  void firstIsLast() {
    CompletableFuture<Optional<List<Lease>>> all = withoutBound(null, a, b);
    a.latest().complete(a.lease);
    b.refuse();
    time.advance(Duration.ofNanos(PAUSE));
    b.latest().complete(b.lease);
    assertFalse(all.isDone(), "a is missing");
    a.grant();
    assertEquals(Optional.of(List.of(a.lease, b.lease)), all.join());
  }

  /** What the last lock ends with, when, and whether another was seen: what that is to a caller. */
  @Test
  @DisplayName("a failure of the store is contention only after the time, if another was seen")
  void failures() {
    LockStoreException store = failure(Kind.UNAVAILABLE);
    IllegalStateException other = new IllegalStateException("of the test's");
    assertEquals("empty", ends(true, true, store));
    assertEquals(store.toString(), ends(true, false, store));
    assertEquals(store.toString(), ends(false, true, store));
    assertEquals(store.toString(), ends(false, false, store));
    assertEquals(other.toString(), ends(true, true, other));
    assertEquals(
        "java.lang.IllegalStateException: it completed a call without an answer",
        ends(true, true, null));
  }

  private String ends(boolean contended, boolean over, Throwable failure) {
    CompletableFuture<Optional<List<Lease>>> result = take(null, a, b);
    Part last = a;
    if (contended) {
      a.grant();
      b.refuse();
      time.advance(Duration.ofNanos(PAUSE));
      last = b;
    }
    time.advance(over ? WAIT : Duration.ZERO);
    if (failure == null) {
      last.latest().complete(null);
    } else {
      last.latest().completeExceptionally(failure);
    }
    assertTrue(result.isDone(), "it has not ended");
    return result
        .handle(
            (found, failed) ->
                failed != null
                    ? (failed.getCause() == null ? failed : failed.getCause()).toString()
                    : found.isPresent() ? "has all" : "empty")
        .join();
  }

  @Test
  @DisplayName("one that had to wait has seen a holder, one that had not has seen none")
  void seen() {
    Lease waitedFor = afterOthers();
    CompletableFuture<Optional<List<Lease>>> contended = take(null, a, b);
    a.latest().complete(Optional.of(waitedFor));
    time.advance(WAIT);
    assertEquals(Optional.empty(), contended.join());
    assertFalse(waitedFor.isValid(), "it was given back");
    assertTrue(b.latest().isCancelled());

    CompletableFuture<?> alone = take(null, a, b);
    a.grant();
    time.advance(WAIT);
    assertSilent(alone);
    assertEquals(1, a.released);
  }

  @Test
  @DisplayName("a refusal that may be about a leftover of this process is no contention")
  void inDoubt() {
    CompletableFuture<?> doubted = take(step(), a, b);
    refuse(0, true);
    a.grant();
    time.advance(WAIT);
    assertSilent(doubted);
    assertEquals(1, a.released);
  }

  @Test
  @DisplayName(
      "a caller that asks once resolves a doubt by itself, and asks for the rest in one step")
  void asksOnce() {
    CompletableFuture<Optional<List<Lease>>> doubted = once();
    refuse(1, true);
    b.grant();
    assertEquals(List.of(0, 2), question().places());
    assertEquals(List.of(b.lease), question().beside());
    question().answer().complete(Round.of(List.of(a.lease, c.lease)));
    assertEquals(Optional.of(List.of(a.lease, b.lease, c.lease)), doubted.join());
    assertEquals(List.of("b PT0S"), asked);
    CompletableFuture<Optional<List<Lease>>> refused = once();
    refuse(1, false);
    assertEquals(Optional.empty(), refused.join());
    assertEquals(List.of("b PT0S"), asked);
  }

  private CompletableFuture<Optional<List<Lease>>> once() {
    return async(step(), a, b, c).take(Optional.of(Duration.ZERO), Function.identity());
  }

  @Test
  @DisplayName("a caller that asks once begins again with the next doubtful one, holding nothing")
  void doubtsOnce() {
    CompletableFuture<Optional<List<Lease>>> doubted = once();
    refuse(1, true);
    b.grant();
    refuse(1, true); // of a and c: c
    assertEquals(1, b.released);
    time.advance(Duration.ZERO);
    c.grant();
    assertEquals(List.of("b PT0S", "c PT0S"), asked);
    assertEquals(List.of(c.lease), question().beside());
    refuse(1, false);
    assertEquals(Optional.empty(), doubted.join());
    assertEquals(1, c.released);
  }

  @Test
  @DisplayName("a caller that asks once and is refused in doubt again and again goes on one by one")
  void alwaysInDoubt() {
    CompletableFuture<Optional<List<Lease>>> doubted =
        async(step(), a, b).take(Optional.of(Duration.ZERO), Function.identity());
    refuse(0, true);
    for (Part alone : List.of(a, b, a)) {
      alone.grant();
      refuse(0, true); // the other one
      time.advance(Duration.ZERO);
    }
    b.grant();
    a.grant();
    assertEquals(Optional.of(List.of(a.lease, b.lease)), doubted.join());
    assertEquals(List.of("a PT0S", "b PT0S", "a PT0S", "b PT0S", "a PT0S"), asked);
    assertEquals(4, questions.size());
  }

  @Test
  @DisplayName("a waiter asks for the rest in one step, however often it is refused in doubt")
  void waitsInDoubt() {
    CompletableFuture<Optional<List<Lease>>> doubted = withoutBound(step(), a, b);
    refuse(0, true);
    for (Part alone : List.of(a, b, a, b, a)) {
      alone.latest().complete(alone.lease);
      refuse(0, true); // the other one
      time.advance(WAIT);
    }
    b.latest().complete(b.lease);
    question().answer().complete(Round.of(List.of(a.lease)));
    assertEquals(Optional.of(List.of(a.lease, b.lease)), doubted.join());
    assertEquals(7, questions.size());
  }

  @Test
  @DisplayName("a waiter refused only in doubt until the end asks no more")
  void inDoubtAtTheEnd() {
    CompletableFuture<?> doubted = take(step(), a, b);
    refuse(0, true);
    a.grant();
    time.advance(WAIT.minusNanos(PAUSE / 2));
    refuse(0, true);
    assertFalse(doubted.isDone(), "it pauses");
    time.advance(Duration.ofNanos(PAUSE / 2));
    assertSilent(doubted);
    assertEquals(List.of("a PT1S"), asked);
  }
}
