package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.internal.several.CombinedStep.Round;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("Several at once without blocking: whatever ends them")
class AllAsyncEndsTest extends AllAsyncSetting {
  @Test
  @DisplayName("a question that is not answered in time is cancelled, and its caller knows nothing")
  void questionHangs() {
    CompletableFuture<?> timed = take(step(), a, b);
    time.advance(WAIT.minusNanos(1));
    assertFalse(timed.isDone());
    time.advance(Duration.ofNanos(1));
    assertSilent(timed);
    assertTrue(question().answer().isCancelled());

    CompletableFuture<Integer> once =
        async(step(), a, b).take(Optional.of(Duration.ZERO), found -> 1);
    CompletableFuture<?> forEver = withoutBound(step(), a, b);
    time.advance(Duration.ofHours(1));
    assertFalse(once.isDone() || forEver.isDone(), "their answer ends them");
    assertEquals(List.of(), asked);
  }

  @Test
  @DisplayName("the rest is refused: what was acquired is released, and others were seen")
  void restHangs() {
    CompletableFuture<Optional<List<Lease>>> timed = take(step(), a, b);
    refuse(1, false);
    b.grant();
    time.advance(WAIT);
    assertEquals(Optional.empty(), timed.join());
    assertEquals(1, b.released);
    assertTrue(question().answer().isCancelled());
  }

  @Test
  @DisplayName("a question that ends its caller's wait while it is asked is cancelled")
  void endsWhileAsking() {
    AtomicReference<CompletableFuture<Round<Lease>>> answer = new AtomicReference<>();
    CompletableFuture<?> timed =
        take(
            (places, taken) -> {
              time.advance(WAIT);
              answer.set(new CompletableFuture<>());
              return answer.get();
            },
            a,
            b);
    assertSilent(timed);
    assertTrue(answer.get().isCancelled());
  }

  @Test
  @DisplayName("so is one lock's, and so are both if their caller gives up")
  void cancelledWhileAsking() {
    CompletableFuture<Optional<List<Lease>>> one = take(null, a, b);
    b.whenAsked = () -> one.cancel(false);
    a.grant();
    assertTrue(b.latest().isCancelled());
    assertEquals(1, a.released);

    CompletableFuture<?> several = take(step(), a, b);
    several.cancel(false);
    assertTrue(question().answer().isCancelled());
  }

  @Test
  @DisplayName("a lock's own timed question ends by itself, whatever was asked before")
  void endsByItself() {
    CompletableFuture<Optional<List<Lease>>> afterAll = take(step(), a, b);
    refuse(0, false);
    CompletableFuture<Optional<List<Lease>>> afterOne = take(null, b, c);
    b.grant();
    c.refuse();
    time.advance(Duration.ofNanos(PAUSE));
    assertEquals(List.of("a PT1S", "b PT1S", "c PT0S", "c PT0.9995S"), asked);
    time.advance(WAIT);
    assertFalse(afterAll.isDone() || afterOne.isDone());
    assertFalse(a.latest().isDone() || c.latest().isDone());
    a.refuse();
    c.refuse();
    assertEquals(Optional.empty(), afterAll.join());
    assertEquals(Optional.empty(), afterOne.join());
  }

  @Test
  @DisplayName("a time that ends during the release of the others ends it at once")
  void endsWhileGivingBack() {
    CompletableFuture<Optional<List<Lease>>> timed = take(null, a, b);
    AtomicReference<Boolean> ended = new AtomicReference<>();
    a.whenReleased =
        () -> {
          time.advance(WAIT);
          ended.set(timed.isDone());
        };
    a.grant();
    b.refuse();
    assertEquals(true, ended.get());
    assertEquals(Optional.empty(), timed.join());
  }

  @Test
  @DisplayName("what arrives as its caller gives up is released")
  void givenUpAtTheLastMoment() {
    AtomicReference<CompletableFuture<?>> result = new AtomicReference<>();
    result.set(
        async(null, a, b)
            .take(
                Optional.of(WAIT),
                found -> {
                  result.get().cancel(false);
                  return found;
                }));
    a.grant();
    b.grant();
    assertTrue(result.get().isCancelled());
    assertEquals(List.of(1, 1), List.of(a.released, b.released));
  }

  @Test
  @DisplayName("a time that ends after all were had takes nothing away")
  void hasAll() {
    CompletableFuture<Optional<List<Lease>>> all = take(step(), a, b);
    question().answer().complete(Round.of(List.of(a.lease, b.lease)));
    assertEquals(Optional.of(List.of(a.lease, b.lease)), all.join());
    time.advance(WAIT);
    assertEquals(0, a.released + b.released);
  }

  @Test
  @DisplayName("the late result of a stage that can't be cancelled is released")
  void deafStages() {
    a.stages = AllAsyncEndsTest::deaf;
    CompletableFuture<?> waiting = withoutBound(null, a, b);
    waiting.cancel(false);
    assertEquals(0, a.released);
    a.latest().complete(a.lease);
    assertEquals(1, a.released);

    b.stages = AllAsyncEndsTest::deaf;
    CompletableFuture<?> timed = take(null, a, b);
    a.grant();
    time.advance(WAIT);
    assertSilent(timed);
    b.grant();
    assertEquals(List.of(2, 1), List.of(a.released, b.released));
  }

  private static <T> CompletableFuture<T> deaf() {
    return new CompletableFuture<>() {
      @Override
      public boolean cancel(boolean mayInterrupt) {
        return false;
      }
    };
  }

  @Test
  @DisplayName("the rest is not requested if the first one arrived at the end of the time")
  void firstAtTheEnd() {
    CompletableFuture<?> timed = take(step(), a, b);
    refuse(0, true);
    time.advance(WAIT);
    a.grant();
    assertSilent(timed);
    assertEquals(1, a.released);
    assertEquals(1, questions.size());
  }
}
