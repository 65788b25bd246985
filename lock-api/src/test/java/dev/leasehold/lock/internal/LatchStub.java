package dev.leasehold.lock.internal;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store that has nothing but one latch, and answers what a test says. */
final class LatchStub implements LatchStore {
  /** What it is asked, in order: "look", "enqueue", "count-down token", "leave". */
  final List<String> asked = new ArrayList<>();

  final Set<Guarantee> promised =
      EnumSet.of(Guarantee.LATCH, Guarantee.LATCH_OPENING, Guarantee.WAKE_UP);
  Optional<Latches.State> state = Optional.empty();

  /** What each call ends with in place of an answer; null: it is answered. */
  @Nullable Supplier<CompletionStage<?>> trouble;

  @Nullable Runnable wakeUp;

  void opened(String round, int count, Duration left) {
    state = Optional.of(new Latches.State(round, count, left, ""));
  }

  private <T> CompletionStage<T> answer(String what, T value) {
    asked.add(what);
    Supplier<CompletionStage<?>> now = trouble;
    if (now == null) {
      return CompletableFuture.completedFuture(value);
    }
    @SuppressWarnings("unchecked") // it never has a value
    CompletionStage<T> failed = (CompletionStage<T>) now.get();
    return failed;
  }

  long count(String what) {
    return asked.stream().filter(what::equals).count();
  }

  @Override
  public Latches latches() {
    return new Latches() {
      @Override
      public CompletionStage<Boolean> open(LeaseKey round, int count, Duration keepFor) {
        return answer("open " + round.token(), true);
      }

      @Override
      public CompletionStage<Boolean> countDown(LeaseKey once) {
        return answer("count-down " + once.token(), true);
      }

      @Override
      public CompletionStage<Optional<State>> look(LeaseKey waiter, IfHeld ifClosed) {
        return answer(ifClosed == IfHeld.ENQUEUE ? "enqueue" : "look", state);
      }

      @Override
      public CompletionStage<?> leave(LeaseKey waiter) {
        return answer("leave", waiter);
      }

      @Override
      public CompletionStage<Watch> watch(LeaseKey waiter, Runnable woken) {
        wakeUp = woken;
        return answer("watch", () -> asked.add("unwatch"));
      }
    };
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Set<Guarantee> guarantees() {
    return promised;
  }

  @Override
  public void close() {
    asked.add("close");
  }
}
