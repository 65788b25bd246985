package dev.leasehold.lock.internal.latch;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.acquire.Waiter.Patience;
import dev.leasehold.lock.internal.calls.LeaseTimes;
import dev.leasehold.lock.internal.calls.LockNames;
import dev.leasehold.lock.internal.name.KindServices;
import dev.leasehold.lock.internal.threads.Waits;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A latch's name; all state is on the store, and in the name's {@link LatchEntry} while there are
 * waiters.
 */
final class NamedLatch implements DistributedLatch {
  private static final Duration SHORTEST = Duration.ofMillis(1);

  private final LatchTable table;
  private final String name;

  NamedLatch(LatchTable table, String name) {
    this.table = table;
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean open(int count, Duration keepFor) {
    if (count < 1 || count > Latches.MOST_COUNT) {
      throw new IllegalArgumentException(
          "latch "
              + Quoted.name(name)
              + " of "
              + count
              + " count-downs: it waits for 1 to "
              + Latches.MOST_COUNT
              + " of them");
    }
    LockNames.checkRange("keepFor", keepFor, SHORTEST, LockOptions.LONGEST_LEASE);
    return Waits.join(table.open(name, count, LeaseTimes.wholeMillis(keepFor)));
  }

  @Override
  public boolean countDown() {
    return Waits.join(table.countDown(name));
  }

  @Override
  public CompletionStage<Boolean> countDownAsync() {
    CompletableFuture<Boolean> counted;
    try {
      counted = table.countDown(name);
    } catch (LockException refused) {
      return CompletableFuture.failedFuture(refused);
    }
    CompletableFuture<Boolean> result = table.services().events().handOut(counted);
    result.whenComplete((value, failure) -> counted.cancel(false)); // if its caller gave it up
    return result;
  }

  @Override
  public void await() throws InterruptedException {
    await(Patience.UNBOUNDED, null);
  }

  @Override
  public boolean await(Duration wait) throws InterruptedException {
    LockNames.checkWait(wait);
    return wait.isZero() ? await(Patience.NONE, null) : await(Patience.TIMED, wait);
  }

  private boolean await(Patience patience, @Nullable Duration wait) throws InterruptedException {
    Waits.checkInterrupt();
    return table.enter(name, patience).await(wait);
  }

  @Override
  public CompletionStage<Void> awaitAsync() {
    return async(Patience.UNBOUNDED, Optional.empty(), passed -> null);
  }

  @Override
  public CompletionStage<Boolean> awaitAsync(Duration wait) {
    LockNames.checkWait(wait);
    return wait.isZero()
        ? async(Patience.NONE, Optional.empty(), Function.identity())
        : async(Patience.TIMED, Optional.of(wait), Function.identity());
  }

  private <T extends @Nullable Object> CompletableFuture<T> async(
      Patience patience, Optional<Duration> wait, Function<Boolean, T> shape) {
    LatchWaiter waiter;
    try {
      waiter = table.enter(name, patience);
    } catch (LockException refused) {
      return CompletableFuture.failedFuture(refused);
    }
    KindServices services = table.services();
    return waiter.async(wait, services.time(), services.events()::run, shape, unused -> {});
  }

  @Override
  public OptionalInt count() {
    Optional<Latches.State> state = Waits.join(table.look(name)).filter(latch -> !latch.isOver());
    return state.isPresent() ? OptionalInt.of(state.get().count()) : OptionalInt.empty();
  }

  @Override
  public String toString() {
    return "DistributedLatch[" + Quoted.name(name) + "]";
  }
}
