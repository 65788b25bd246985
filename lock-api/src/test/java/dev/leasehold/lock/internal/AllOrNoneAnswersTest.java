package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.internal.several.AcquiredParts.Part;
import dev.leasehold.lock.internal.several.AllOrNone;
import dev.leasehold.lock.internal.several.CombinedStep;
import dev.leasehold.lock.internal.several.CombinedStep.Round;
import dev.leasehold.lock.internal.threads.Clock;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
@DisplayName("Several at once by a waiting thread: each answer, and the time of its arrival")
class AllOrNoneAnswersTest {
  private static final Duration WAIT = Duration.ofSeconds(1);
  private static final LockStoreException STORE =
      new LockStoreException(Kind.UNAVAILABLE, "of the test's");

  private final ManualTime time = new ManualTime();

  /** What was asked and given back, in order, and each pause. */
  private final List<String> calls = new ArrayList<>();

  private final One a = new One("a");
  private final One b = new One("b");

  /** One whose answers are prepared; without one it is had. */
  private final class One implements Part<String> {
    final String name;
    final Queue<Supplier<CompletableFuture<Optional<String>>>> answers = new ArrayDeque<>();
    boolean others;
    CompletableFuture<Void> back = CompletableFuture.completedFuture(null);

    One(String name) {
      this.name = name;
    }

    private CompletableFuture<Optional<String>> answer(String how) {
      calls.add(name + how);
      Supplier<CompletableFuture<Optional<String>>> next = answers.poll();
      return next == null ? had() : next.get();
    }

    CompletableFuture<Optional<String>> had() {
      return CompletableFuture.completedFuture(Optional.of(name));
    }

    One refused() {
      answers.add(() -> CompletableFuture.completedFuture(Optional.empty()));
      return this;
    }

    One then(Supplier<CompletableFuture<Optional<String>>> answer) {
      answers.add(answer);
      return this;
    }

    @Override
    public CompletableFuture<Optional<String>> await(Optional<Duration> wait) {
      return answer(wait.equals(Optional.of(Duration.ZERO)) ? " tries" : " waits");
    }

    @Override
    public CompletableFuture<Optional<String>> ask() {
      return answer(" asks");
    }

    @Override
    public boolean wasOthers(String taken) {
      return others;
    }

    @Override
    public CompletableFuture<Void> giveBack(String taken) {
      calls.add(taken + " back");
      return back;
    }
  }

  private AllOrNone<String> all(CombinedStep<String> step) {
    return all(step, a, b);
  }

  private AllOrNone<String> all(CombinedStep<String> step, One... parts) {
    Scheduler atOnce =
        (delay, task) -> {
          calls.add("pause");
          task.run();
          return () -> {};
        };
    return new AllOrNone<>(List.of(parts), step, new Clock(time, atOnce, Runnable::run));
  }

  private Optional<List<String>> take(CombinedStep<String> step) throws InterruptedException {
    return all(step).take(Optional.of(WAIT));
  }

  private <T> CompletableFuture<T> late(T answer) {
    time.advance(WAIT);
    return CompletableFuture.completedFuture(answer);
  }

  /** An answer that comes as its time is up, so that it can't be cancelled any more. */
  private static <T> CompletableFuture<T> atTheLastMoment(T answer) {
    return new CompletableFuture<>() {
      @Override
      public boolean cancel(boolean mayInterrupt) {
        complete(answer);
        return false;
      }
    };
  }

  private static void assertSilent(LockStoreException failure) {
    assertEquals("no answer yet within 1s, the time to wait", failure.getMessage());
  }

  @Test
  @DisplayName("the one that was refused is waited for first, after a pause, until all are had")
  void rounds() throws Exception {
    a.then(a::had).refused();
    b.refused();
    assertEquals(Optional.of(List.of("a", "b")), take(null));
    assertEquals(
        List.of(
            "a waits", "b asks", "a back", "pause", // b is refused
            "b waits", "a asks", "b back", "pause", // a is
            "a waits", "b asks"),
        calls);
  }

  @Test
  @DisplayName("there is no pause where the time is up")
  void noPause() throws Exception {
    b.then(() -> late(Optional.empty()));
    assertEquals(Optional.empty(), take(null));
    assertEquals(List.of("a waits", "b asks", "a back"), calls);
  }

  @Test
  @DisplayName("a failure of the store is contention only after the time, if another was seen")
  void failures() throws Exception {
    a.others = true;
    b.then(() -> late(null).thenCompose(now -> CompletableFuture.failedFuture(STORE)));
    assertEquals(Optional.empty(), take(null));
    b.then(() -> CompletableFuture.failedFuture(STORE));
    assertSame(STORE.kind(), assertThrows(LockStoreException.class, () -> take(null)).kind());
    a.others = false;
    b.then(() -> late(null).thenCompose(now -> CompletableFuture.failedFuture(STORE)));
    LockStoreException failure = assertThrows(LockStoreException.class, () -> take(null));
    assertEquals(STORE.getMessage(), failure.getMessage());
    assertEquals(3, calls.stream().filter("a back"::equals).count());
  }

  @Test
  @DisplayName(
      "a question for all that is answered as the time ends is contention, but for a doubt")
  void allRefused() throws Exception {
    assertEquals(Optional.empty(), take((places, taken) -> late(new Round<>(List.of(), 0, false))));
    CombinedStep<String> doubted = (places, taken) -> late(new Round<>(List.of(), 0, true));
    assertSilent(assertThrows(LockStoreException.class, () -> take(doubted)));
    assertEquals(List.of(), calls);
  }

  @Test
  @DisplayName("the last answer counts when the time ends without another")
  void seenBefore() throws Exception {
    Queue<CompletableFuture<Round<String>>> answers = new ArrayDeque<>();
    CombinedStep<String> step = (places, taken) -> answers.remove();
    answers.add(CompletableFuture.completedFuture(new Round<>(List.of(), 1, false)));
    answers.add(atTheLastMoment(new Round<>(List.of(), 0, true)));
    assertEquals(Optional.empty(), take(step));
    answers.add(CompletableFuture.completedFuture(new Round<>(List.of(), 1, true)));
    b.then(() -> late(Optional.of("b")));
    assertSilent(assertThrows(LockStoreException.class, () -> take(step)));
    assertEquals(List.of("b waits", "b back", "b waits", "b back"), calls);
  }

  @Test
  @DisplayName("what arrives as the time ends is released, for one and for several")
  void lateGrants() throws Exception {
    a.others = true;
    b.then(() -> atTheLastMoment(Optional.of("b")));
    assertEquals(Optional.empty(), take(null));
    assertEquals(List.of("a waits", "b asks", "a back", "b back"), calls);
    calls.clear();
    CombinedStep<String> granted = (places, taken) -> atTheLastMoment(Round.of(List.of("a", "b")));
    assertThrows(LockStoreException.class, () -> take(granted));
    assertEquals(List.of("b back", "a back"), calls);
    calls.clear();
    CombinedStep<String> refused =
        (places, taken) -> atTheLastMoment(new Round<>(List.of(), 0, false));
    assertThrows(LockStoreException.class, () -> take(refused));
    assertEquals(List.of(), calls);
  }

  @Test
  @DisplayName("a failure is thrown when the others are released, or the time is up")
  void awaitsGivingBack() {
    Duration brief = Duration.ofMillis(20);
    b.then(() -> CompletableFuture.failedFuture(STORE));
    a.back = new CompletableFuture<>();
    long begun = System.nanoTime();
    assertThrows(LockStoreException.class, () -> all(null).take(Optional.of(brief)));
    assertTrue(System.nanoTime() - begun >= brief.toNanos(), "it did not wait");
    assertEquals(List.of("a waits", "b asks", "a back"), calls);
  }

  @Test
  @DisplayName("an interrupt while it goes back is kept for later")
  void interrupted() {
    a.back = new CompletableFuture<>();
    b.then(
        () -> {
          Thread.currentThread().interrupt();
          return CompletableFuture.failedFuture(STORE);
        });
    assertThrows(LockStoreException.class, () -> all(null).take(Optional.empty()));
    assertTrue(Thread.interrupted());
  }

  @Test
  @DisplayName("the rest is asked for in turn, beginning after the one that was waited for")
  void inTurn() throws Exception {
    b.refused();
    AllOrNone<String> four = all(null, a, b, new One("c"), new One("d"));
    assertEquals(Optional.of(List.of("a", "b", "c", "d")), four.take(Optional.of(WAIT)));
    assertEquals(
        List.of(
            "a waits", "b asks", "a back", "pause", // b is refused
            "b waits", "c asks", "d asks", "a asks"),
        calls);
  }

  @Test
  @DisplayName("a caller that does not wait tries one by one only if necessary")
  void tries() {
    assertEquals(Optional.of(List.of("a", "b")), all(null).tryTake());
    assertEquals(List.of("a tries", "b tries"), calls);
    calls.clear();
    Round<String> refused = new Round<>(List.of(), 1, false);
    CombinedStep<String> step = (places, taken) -> CompletableFuture.completedFuture(refused);
    assertEquals(Optional.empty(), all(step).tryTake());
    assertEquals(List.of(), calls);
    CombinedStep<String> doubting =
        (places, taken) ->
            CompletableFuture.completedFuture(new Round<>(List.of(), places.size() - 1, true));
    assertEquals(Optional.of(List.of("a", "b")), all(doubting).tryTake());
    assertEquals(
        List.of(
            "b tries", "b back", "pause", // the refused one first, then the rest in one step
            "a tries", "a back", "pause", "b tries", "b back", "pause", "a tries", "b tries"),
        calls);
  }

  /** Completes on another thread, soon. */
  private static <T> CompletableFuture<T> soon(Supplier<T> answer) {
    return CompletableFuture.supplyAsync(
        answer, CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS));
  }

  @Test
  @DisplayName("an interrupt of one that asks once is kept for later")
  void interruptedOnce() {
    CombinedStep<String> slow = (places, taken) -> soon(() -> Round.of(List.of("a", "b")));
    Thread.currentThread().interrupt();
    assertEquals(Optional.of(List.of("a", "b")), all(slow).tryTake());
    assertTrue(Thread.interrupted());
  }

  @Test
  @DisplayName("what arrives after an interrupt is released")
  void lateAfterInterrupt() {
    CompletableFuture<Optional<String>> late =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean mayInterrupt) {
            return false;
          }
        };
    b.then(
        () -> {
          Thread.currentThread().interrupt();
          return late;
        });
    assertThrows(InterruptedException.class, () -> all(null).take(Optional.empty()));
    assertEquals(List.of("a waits", "b asks", "a back"), calls);
    late.complete(Optional.of("b"));
    assertEquals(List.of("a waits", "b asks", "a back", "b back"), calls);
  }

  @Test
  @DisplayName(
      "a failure counts as contention also if the time ends during the release of the" + " others")
  void failsBeforeTheEnd() throws Exception {
    a.others = true;
    a.back = soon(() -> null).thenRun(() -> time.advance(WAIT));
    b.then(() -> CompletableFuture.failedFuture(STORE));
    assertEquals(Optional.empty(), take(null));
  }

  @Test
  @DisplayName("a failure that another thread brings has the caller's frames")
  void callersFrames() {
    CombinedStep<String> failing = (places, taken) -> CompletableFuture.failedFuture(STORE);
    LockStoreException failure =
        assertThrows(LockStoreException.class, () -> all(failing).tryTake());
    assertTrue(
        Stream.of(failure.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals("callersFrames")));
  }
}
