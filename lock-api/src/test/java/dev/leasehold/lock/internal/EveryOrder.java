package dev.leasehold.lock.internal;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.EveryOrderStore.Flaw;
import dev.leasehold.lock.internal.EveryOrderStore.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The engine with one name, under one order of events: acquisitions, cancellations and releases in
 * this process, a client in another one, messages that arrive or are lost, timers. A chooser picks
 * each event from those possible at that moment. After each event the guarantees of a lock are
 * checked, and in the end that nothing is left on the server.
 */
final class EveryOrder {
  /** More than any order needs until everything has ended. */
  private static final int MOST_STEPS = 2000;

  /** What passes before each event: no two of them are at the same time. */
  private static final Duration TICK = Duration.ofNanos(1000);

  /** How an acquisition waits. */
  enum Call {
    WAITS,
    TIMED,
    ONCE
  }

  /**
   * The scene: what the store promises, and the calls that arrive, in this order.
   *
   * @param owners of each call: calls with equal letters are of one owner
   */
  record Scene(Set<Guarantee> guarantees, Duration linger, List<Call> calls, String owners) {}

  private static final class Attempt {
    final Call call;
    final LockOwner owner;
    @Nullable CompletableFuture<?> outcome;
    @Nullable Lease lease;
    boolean ended;
    boolean released;

    /** Whether another owner, here or elsewhere, had the lock at some time since it came. */
    boolean sawHolder;

    Attempt(Call call, LockOwner owner) {
      this.call = call;
      this.owner = owner;
    }

    boolean isPending() {
      return outcome != null && !outcome.isDone();
    }

    boolean holds() {
      Lease mine = lease;
      return mine != null && !released && mine.isValid();
    }
  }

  private final ManualTime time = new ManualTime();
  private final EveryOrderStore store;
  private final LockManager locks;
  private final List<Attempt> attempts = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private final Scene scene;
  private int arrived;
  private int taken;
  private long lastFence;

  EveryOrder(Scene scene, Flaw flaw) {
    this.scene = scene;
    this.store = new EveryOrderStore(time, scene.guarantees());
    store.flaw = flaw;
    this.locks =
        LockManager.over(store)
            .ticker(time)
            .scheduler(time)
            .workers(Runnable::run)
            .executor(Runnable::run)
            .random(() -> 0)
            .linger(scene.linger())
            .closeGrace(Duration.ZERO)
            .build();
    List<LockOwner> owners = new ArrayList<>();
    for (char letter : scene.owners().toCharArray()) {
      int first = scene.owners().indexOf(letter);
      owners.add(first < owners.size() ? owners.get(first) : LockOwner.named("" + letter));
    }
    for (int i = 0; i < scene.calls().size(); i++) {
      attempts.add(new Attempt(scene.calls().get(i), owners.get(i)));
    }
  }

  /** An event that is possible now. */
  private record Choice(String what, Runnable event) {}

  /**
   * Runs one order.
   *
   * @param depth how many events are chosen; then everything that is under way ends
   * @param chooser the number of the next event, given how many are possible
   * @throws AssertionError if something is broken; its message tells the events
   */
  void run(int depth, IntUnaryOperator chooser) {
    try {
      for (int i = 0; i < depth; i++) {
        List<Choice> possible = possible();
        if (possible.isEmpty()) {
          break;
        }
        happens(possible.get(chooser.applyAsInt(possible.size())));
      }
      end();
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(scene + " after " + events + ": " + e.getMessage(), e);
    }
  }

  private void happens(Choice choice) {
    events.add(choice.what());
    time.advance(TICK);
    choice.event().run();
    check();
  }

  // ---- events ----

  private List<Choice> possible() {
    List<Choice> all = new ArrayList<>();
    if (arrived < attempts.size()) {
      all.add(new Choice("call " + arrived, this::arrives));
    }
    for (Attempt one : attempts) {
      int i = attempts.indexOf(one);
      if (one.isPending()) {
        all.add(new Choice("cancel " + i, () -> cancels(one)));
      } else if (one.lease != null && !one.released) {
        all.add(new Choice("release " + i, () -> releases(one)));
      }
    }
    List<Message> messages = store.messages();
    for (int i = 0; i < Math.min(2, messages.size()); i++) {
      Message message = messages.get(i);
      String what = message.what() + " " + i;
      all.add(new Choice(what, () -> store.deliver(message)));
      all.add(new Choice(what + " lost", () -> store.lose(message)));
      all.add(new Choice(what + " unanswered", () -> store.deliverUnanswered(message)));
    }
    if (store.isFree() && taken == 0) {
      all.add(new Choice("other takes", this::otherTakes));
    } else if (store.isHeldByOther()) {
      all.add(new Choice("other releases", store::otherReleases));
    }
    if (arrived > 0) {
      all.add(new Choice("time", time::advanceToNext));
    }
    return all;
  }

  private void arrives() {
    Attempt next = attempts.get(arrived++);
    DistributedLock lock = lock().as(next.owner);
    next.sawHolder = isContendedFor(next);
    next.outcome =
        switch (next.call) {
          case WAITS -> lock.acquireAsync().toCompletableFuture();
          case TIMED -> lock.tryAcquireAsync(Duration.ofSeconds(5)).toCompletableFuture();
          case ONCE -> lock.tryAcquireAsync(Duration.ZERO).toCompletableFuture();
        };
  }

  private DistributedLock lock() {
    return isShared() ? locks.readWriteLock("a").read() : locks.lock("a");
  }

  private boolean isShared() {
    return scene.guarantees().contains(Guarantee.SHARED);
  }

  private static void cancels(Attempt one) {
    if (one.outcome != null) {
      one.outcome.cancel(true);
    }
  }

  private static void releases(Attempt one) {
    one.released = true;
    if (one.lease != null) {
      one.lease.releaseAsync();
    }
  }

  private void otherTakes() {
    taken++;
    store.otherTakes();
  }

  // ---- what a lock keeps ----

  private boolean isHeldByOthersThan(Attempt one) {
    return store.isHeldByOther()
        || (!isShared()
            && attempts.stream().anyMatch(other -> other.owner != one.owner && other.holds()));
  }

  /** As above; or another acquisition, perhaps of the same owner, has it or is granted it. */
  private boolean isContendedFor(Attempt one) {
    return store.isHeldByOther()
        || attempts.stream()
            .anyMatch(
                other -> other != one && (other.holds() || (!store.isFree() && other.isPending())));
  }

  private void check() {
    List<Attempt> empty = new ArrayList<>();
    for (Attempt one : attempts) {
      if (!one.ended && one.outcome != null && one.outcome.isDone()) {
        one.ended = true;
        one.lease = lease(one.outcome);
        if (one.lease == null && !one.outcome.isCompletedExceptionally()) {
          empty.add(one);
        }
      }
    }
    attempts.forEach(one -> one.sawHolder |= isContendedFor(one));
    for (Attempt one : attempts) {
      if (one.holds() && isHeldByOthersThan(one)) {
        throw new AssertionError("two hold it");
      } else if (empty.contains(one) && !one.sawHolder) {
        throw new AssertionError("call " + attempts.indexOf(one) + " was empty, not contended");
      }
    }
  }

  /** Returns what a call that has ended got; null if nothing. */
  private @Nullable Lease lease(CompletableFuture<?> outcome) {
    Object found;
    try {
      found = outcome.join();
    } catch (CancellationException e) {
      return null;
    } catch (CompletionException e) {
      if (!(e.getCause() instanceof LockException)) {
        throw new AssertionError("not an outcome", e);
      }
      return null;
    }
    Object lease = found instanceof Optional<?> some ? some.orElse(null) : found;
    if (lease == null) {
      return null;
    }
    checkFence((Lease) lease);
    return (Lease) lease;
  }

  private void checkFence(Lease lease) {
    if (lease.isValid() && lease.holdCount() == 1) {
      long fence = lease.fencingToken();
      if (fence < lastFence || (fence == lastFence && !isShared())) {
        throw new AssertionError("its fencing token is not larger");
      }
      lastFence = fence;
    }
  }

  // ---- the end ----

  /** Lets everything end: all messages arrive, all leases are released, all timers run. */
  private void end() {
    for (int step = 0; ; step++) {
      if (step == MOST_STEPS) {
        throw new AssertionError("it does not end; left: " + store.leftovers());
      }
      List<Message> messages = store.messages();
      Optional<Attempt> holding =
          attempts.stream().filter(one -> one.lease != null && !one.released).findFirst();
      if (!messages.isEmpty()) {
        Message message = messages.get(0);
        happens(new Choice(message.what(), () -> store.deliver(message)));
      } else if (holding.isPresent()) {
        happens(new Choice("release", () -> releases(holding.get())));
      } else if (store.isHeldByOther()) {
        happens(new Choice("other releases", store::otherReleases));
      } else if (attempts.stream().anyMatch(Attempt::isPending) || !store.leftovers().isEmpty()) {
        if (!time.advanceToNext()) {
          throw new AssertionError("it hangs; left: " + store.leftovers());
        }
        events.add("time");
        check();
      } else {
        break;
      }
    }
  }
}
