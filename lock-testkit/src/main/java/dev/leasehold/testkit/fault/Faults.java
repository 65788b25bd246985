package dev.leasehold.testkit.fault;

import dev.leasehold.lock.spi.LeaseStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Stands between a manager and its store: records every call, and does to it what it was told to.
 * Thread-safe; faults can be set and taken back at any time, and count for calls from then on.
 */
public final class Faults {
  private final ReentrantLock mutex = new ReentrantLock();
  private final Map<Op, StoreFault> standing = new EnumMap<>(Op.class);
  private final Map<Op, Deque<StoreFault>> once = new EnumMap<>(Op.class);
  private final Map<Target, StoreFault> named = new HashMap<>();
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private volatile Wakes wakes = Wakes.HEARD;

  private enum Wakes {
    HEARD,
    LOST
  }

  /**
   * A call to the store.
   *
   * @param op which
   * @param name of the lock
   * @param token of the lease or waiter; empty for an inspection
   * @param nanos {@link System#nanoTime()} when it was made, before any fault
   */
  public record Call(Op op, String name, String token, long nanos) {}

  private record Target(Op op, String name) {}

  /** No faults yet. */
  public Faults() {}

  /** Every call of this kind, from now on. */
  public Faults every(Op op, StoreFault fault) {
    return change(() -> standing.put(op, fault));
  }

  /** Every call of this kind on one lock, from now on; goes before {@link #next}. */
  public Faults every(Op op, String name, StoreFault fault) {
    return change(() -> named.put(new Target(op, name), fault));
  }

  /** The next call of this kind for which nothing was said yet; goes before {@link #every}. */
  public Faults next(Op op, StoreFault fault) {
    return change(() -> once.computeIfAbsent(op, o -> new ArrayDeque<>()).add(fault));
  }

  /** The store's wake-ups are not heard any more. */
  public Faults loseWakeUps() {
    wakes = Wakes.LOST;
    return this;
  }

  /** No faults from now on. Calls that stand at a gate, or are lost, stay so. */
  public Faults clear() {
    wakes = Wakes.HEARD;
    return change(
        () -> {
          standing.clear();
          once.clear();
          named.clear();
        });
  }

  private Faults change(Runnable step) {
    mutex.lock();
    try {
      step.run();
      return this;
    } finally {
      mutex.unlock();
    }
  }

  /** Everything that was called so far, in order. */
  public List<Call> calls() {
    return List.copyOf(calls);
  }

  /** How many calls of this kind were made so far. */
  public int count(Op op) {
    return (int) calls.stream().filter(call -> call.op() == op).count();
  }

  /** How many calls were made so far. */
  public int count() {
    return calls.size();
  }

  /** Puts these faults in front of a store. */
  public LeaseStore over(LeaseStore store) {
    return new FaultyStore(store, this);
  }

  Runnable heard(Runnable wakeUp) {
    return () -> {
      if (wakes == Wakes.HEARD) {
        wakeUp.run();
      }
    };
  }

  <T> CompletionStage<T> around(
      Op op, String name, String token, Supplier<? extends CompletionStage<T>> call) {
    calls.add(new Call(op, name, token, System.nanoTime()));
    return faultFor(op, name).around(call);
  }

  private StoreFault faultFor(Op op, String name) {
    mutex.lock();
    try {
      StoreFault ofName = named.get(new Target(op, name));
      if (ofName != null) {
        return ofName;
      }
      Deque<StoreFault> waiting = once.get(op);
      StoreFault next = waiting == null ? null : waiting.poll();
      return next != null ? next : standing.getOrDefault(op, StoreFault.none());
    } finally {
      mutex.unlock();
    }
  }
}
