package dev.leasehold.memory;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Ticker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * The state shared by several managers: names and their holders. Each call is one step.
 * Thread-safe.
 */
final class Memory {
  final Ticker ticker;
  final PlannedFaults faults = new PlannedFaults();
  private final ReentrantLock mutex = new ReentrantLock();
  private final Condition changed = mutex.newCondition();
  private final Map<String, Runnable> recalls = new ConcurrentHashMap<>();
  private final Map<Share.Kind, Map<String, NameState>> kinds = new HashMap<>();
  private final Map<String, Latch> latches = new HashMap<>();

  /** A step on a name. */
  interface Step<T> {
    T on(NameState state, long now, List<Runnable> wakes);
  }

  /** A step on several names, in their order. */
  interface StepOnAll<T> {
    T on(List<NameState> states, long now, List<Runnable> wakes);
  }

  /** A step on a name's latch. */
  interface LatchStep<T> {
    T on(Latch latch, long now, List<Runnable> wakes);
  }

  private interface AnyStep<T> {
    T at(long now, List<Runnable> wakes);
  }

  Memory(Ticker ticker) {
    this.ticker = ticker;
  }

  /** A call from a store; fails if a test has set a fault. */
  <T> CompletionStage<T> call(
      Call call, MemoryStore store, Share.Kind kind, String name, Step<T> step) {
    return call(call, store, (now, wakes) -> step.on(state(kind, name).at(now), now, wakes));
  }

  /** As above, on several names. */
  <T> CompletionStage<T> callAll(
      Call call, MemoryStore store, Share.Kind kind, List<String> names, StepOnAll<T> step) {
    return call(
        call,
        store,
        (now, wakes) ->
            step.on(names.stream().map(name -> state(kind, name).at(now)).toList(), now, wakes));
  }

  /** As above, on a latch. */
  <T> CompletionStage<T> callLatch(Call call, MemoryStore store, String name, LatchStep<T> step) {
    return call(
        call,
        store,
        (now, wakes) ->
            step.on(latches.computeIfAbsent(name, n -> new Latch()).at(now), now, wakes));
  }

  private <T> CompletionStage<T> call(Call call, MemoryStore store, AnyStep<T> step) {
    Optional<Fault> fault;
    Supplier<CompletionStage<T>> answer = CompletableFuture::new;
    List<Runnable> wakes = new ArrayList<>();
    mutex.lock();
    try {
      if (store.isCut()) {
        return CompletableFuture.failedFuture(
            new LockStoreException(
                LockStoreException.Kind.UNREACHABLE, "this manager has crashed, or is closed"));
      }
      fault = faults.of(call);
      if (fault.isEmpty() || fault.get().isDone()) {
        long now = ticker.nanos();
        T done = step.at(now, wakes);
        answer = () -> CompletableFuture.completedFuture(done);
      }
      changed.signalAll();
    } catch (RuntimeException refused) { // another number of permits
      return CompletableFuture.failedFuture(refused);
    } finally {
      mutex.unlock();
    }
    wakes.forEach(Runnable::run);
    return fault.isEmpty() || fault.get() == Fault.NO_ANSWER
        ? answer.get()
        : CompletableFuture.failedFuture(fault.get().failure(call));
  }

  private NameState state(Share.Kind kind, String name) {
    return kinds
        .computeIfAbsent(kind, k -> new HashMap<>())
        .computeIfAbsent(name, n -> new NameState());
  }

  /** A step performed by the test itself. */
  <T> T look(Share.Kind kind, String name, Step<T> step) {
    return locked(
        () -> {
          long now = ticker.nanos();
          return step.on(state(kind, name).at(now), now, new ArrayList<>());
        });
  }

  <T> T locked(Supplier<T> step) {
    mutex.lock();
    try {
      return step.get();
    } finally {
      changed.signalAll();
      mutex.unlock();
    }
  }

  /** The sum over all kinds of a name. */
  int sum(String name, ToIntFunction<NameState> of) {
    return locked(() -> sumNow(name, of));
  }

  private int sumNow(String name, ToIntFunction<NameState> of) {
    long now = ticker.nanos();
    return kinds.values().stream()
        .flatMap(states -> Stream.ofNullable(states.get(name)))
        .mapToInt(state -> of.applyAsInt(state.at(now)))
        .sum();
  }

  /** The number of waiters for a name, over all kinds. */
  int waiting(String name) {
    return locked(() -> waitingNow(name));
  }

  private int waitingNow(String name) {
    Latch latch = latches.get(name);
    return sumNow(name, NameState::waiting) + (latch == null ? 0 : latch.waiting());
  }

  /**
   * Waits, by the machine's clock, until a name has exactly this many waiters; false on a time-out.
   */
  boolean awaitWaiting(String name, int wanted, long nanos) throws InterruptedException {
    long left = nanos;
    mutex.lockInterruptibly();
    try {
      while (waitingNow(name) != wanted && left > 0) {
        left = changed.awaitNanos(left);
      }
      return waitingNow(name) == wanted;
    } finally {
      mutex.unlock();
    }
  }

  /** What hears recalls, by token. */
  Map<String, Runnable> recalls() {
    return recalls;
  }

  /** Removes a closed store's listeners. */
  void forget(MemoryStore store) {
    locked(
        () -> {
          kinds.values().forEach(states -> states.values().forEach(state -> state.forget(store)));
          latches.values().forEach(latch -> latch.forget(store));
          return true;
        });
  }
}
