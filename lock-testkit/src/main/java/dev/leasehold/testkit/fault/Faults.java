package dev.leasehold.testkit.fault;

import dev.leasehold.lock.spi.LeaseKey;
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
 * Sits between a manager and its store, records every call and injects faults. Thread-safe; faults
 * can be set and removed at any time and apply to later calls.
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
   * @param op the operation
   * @param name of the lock
   * @param token of the lease or waiter; empty for an inspection
   * @param nanos {@link System#nanoTime()} of the call, before any fault
   */
  public record Call(Op op, String name, String token, long nanos) {}

  private record Target(Op op, String name) {}

  /** Without faults. */
  public Faults() {}

  /** Applies to every call of this kind, from now on. */
  public Faults every(Op op, StoreFault fault) {
    return change(() -> standing.put(op, fault));
  }

  /**
   * Applies to every call of this kind on one lock, from now on; takes precedence over {@link
   * #next}.
   */
  public Faults every(Op op, String name, StoreFault fault) {
    return change(() -> named.put(new Target(op, name), fault));
  }

  /**
   * Applies to the next call of this kind that has no fault yet; takes precedence over {@link
   * #every}.
   */
  public Faults next(Op op, StoreFault fault) {
    return change(() -> once.computeIfAbsent(op, o -> new ArrayDeque<>()).add(fault));
  }

  /** Drops the store's wake-ups from now on. */
  public Faults loseWakeUps() {
    wakes = Wakes.LOST;
    return this;
  }

  /** Removes all faults. Calls that are held at a gate or lost stay so. */
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

  /** All calls so far, in order. */
  public List<Call> calls() {
    return List.copyOf(calls);
  }

  /** The number of calls of this kind so far. */
  public int count(Op op) {
    return (int) calls.stream().filter(call -> call.op() == op).count();
  }

  /** The number of calls so far. */
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

  <T> CompletionStage<T> around(Op op, LeaseKey key, Supplier<? extends CompletionStage<T>> call) {
    return around(op, key.name(), key.token(), call);
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
