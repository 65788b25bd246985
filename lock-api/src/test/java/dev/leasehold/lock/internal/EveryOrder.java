package dev.leasehold.lock.internal;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.EveryOrderLock.Flaw;
import dev.leasehold.lock.internal.EveryOrderStore.Message;
import dev.leasehold.lock.internal.several.AllLeases;
import dev.leasehold.lock.internal.several.AllLocks;
import dev.leasehold.lock.internal.several.CombinedNames;
import dev.leasehold.lock.internal.several.CombinedStep;
import dev.leasehold.lock.internal.several.GatherContext;
import dev.leasehold.lock.internal.threads.Clock;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The engine under one order of events: acquisitions, cancellations and releases in this process, a
 * client in another one, messages that arrive or are lost, timers. A chooser picks each event from
 * those possible at that moment. After each event the guarantees of a lock are checked, and in the
 * end that nothing is left on the server.
 */
final class EveryOrder {
  /** More than any order needs until everything has ended. */
  private static final int MOST_STEPS = 2000;

  /** What passes before each event: no two of them are at the same time. */
  private static final Duration TICK = Duration.ofNanos(1000);

  private static final Duration LINGER = Duration.ofSeconds(1);

  /** How an acquisition waits. */
  enum How {
    WAITS,
    TIMED,
    ONCE
  }

  /**
   * An acquisition of this process.
   *
   * @param owner calls with equal owners are of one owner
   * @param names of one letter each; several are acquired as one lock
   */
  record Call(How how, String owner, List<String> names) {
    /** Reads for example {@code waits a xy}. */
    static Call of(String words) {
      String[] word = words.split(" ");
      How how = How.valueOf(word[0].toUpperCase(Locale.ROOT));
      return new Call(how, word[1], List.of(word[2].split("")));
    }
  }

  /** What the store promises, and the calls that arrive, in this order. */
  record Scene(Set<Guarantee> guarantees, List<Call> calls) {
    boolean has(Guarantee guarantee) {
      return guarantees.contains(guarantee);
    }

    Set<String> names() {
      Set<String> all = new TreeSet<>();
      calls.forEach(call -> all.addAll(call.names()));
      return all;
    }
  }

  private static final class Attempt {
    final Call call;
    @Nullable CompletableFuture<?> outcome;
    @Nullable Lease lease;
    boolean ended;
    boolean released;

    /** Whether another call, or the other client, had one of the locks since it came. */
    boolean contended;

    Attempt(Call call) {
      this.call = call;
    }

    boolean isPending() {
      return outcome != null && !outcome.isDone();
    }

    boolean holds(String name) {
      Lease mine = lease;
      return mine != null && !released && call.names().contains(name) && mine.isValid();
    }
  }

  private final ManualTime time = new ManualTime();
  private final Scene scene;
  private final EveryOrderStore store;
  private final LockManager locks;
  private final List<Attempt> attempts;
  private final Map<String, LockOwner> owners = new HashMap<>();
  private final Map<String, Fence> fences = new HashMap<>();

  /** So that callers of the same names in other orders do not meet again and again. */
  private final RandomGenerator random = new SplittableRandom(1);

  private final List<String> events = new ArrayList<>();
  private int arrived;
  private boolean taken;
  private boolean disturbed;

  EveryOrder(Scene scene, Flaw flaw) {
    this.scene = scene;
    this.store = new EveryOrderStore(time, scene.guarantees(), scene.names(), flaw);
    this.attempts = scene.calls().stream().map(Attempt::new).toList();
    this.locks =
        time.manager(store)
            .random(() -> 0)
            .linger(scene.has(Guarantee.LINGER) ? LINGER : Duration.ZERO)
            .build();
  }

  /** The last fencing token of a name, and whose it is. */
  private record Fence(long token, String owner) {}

  /** An event that is possible now. */
  private record Choice(String what, Runnable event) {}

  /**
   * Runs one order.
   *
   * @param depth how many events are chosen; then everything that is under way ends
   * @param chooser the number of the next event, given how many are possible
   * @throws AssertionError if something is broken; its message lists the events
   */
  void run(int depth, IntUnaryOperator chooser) {
    try {
      for (int i = 0; i < depth; i++) {
        List<Choice> possible = possible();
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
        all.add(new Choice("cancel " + i, () -> Objects.requireNonNull(one.outcome).cancel(true)));
      } else if (one.lease != null && !one.released) {
        all.add(new Choice("release " + i, () -> releases(one)));
      }
    }
    List<Message> messages = store.messages();
    for (int i = 0; i < Math.min(2, messages.size()); i++) {
      Message message = messages.get(i);
      String what = message.what() + " " + i;
      Runnable executed = message.executed();
      all.add(new Choice(what, () -> store.ends(message, message.delivered())));
      all.add(new Choice(what + " lost", disturbing(() -> store.ends(message, message.lost()))));
      if (executed != null) {
        all.add(new Choice(what + " executed", () -> store.ends(message, executed)));
      }
    }
    for (String name : scene.names()) {
      EveryOrderLock lock = store.lock(name);
      if (lock.isFree() && !taken) {
        all.add(new Choice("other takes " + name, () -> otherTakes(lock)));
      } else if (lock.isHeldByOther()) {
        all.add(new Choice("other releases " + name, lock::otherReleases));
      }
    }
    all.add(new Choice("time", disturbing(time::advanceToNext)));
    return all;
  }

  /** From such an event on, calls may fail. */
  private Runnable disturbing(Runnable event) {
    return () -> {
      disturbed = true;
      event.run();
    };
  }

  private void arrives() {
    Attempt next = attempts.get(arrived++);
    LockOwner owner = owners.computeIfAbsent(next.call.owner(), LockOwner::unique);
    List<String> names = next.call.names();
    Optional<Duration> wait =
        switch (next.call.how()) {
          case WAITS -> Optional.empty();
          case TIMED -> Optional.of(Duration.ofSeconds(5));
          case ONCE -> Optional.of(Duration.ZERO);
        };
    if (names.size() > 1) {
      next.outcome = acquireAll(names, owner, wait);
      return;
    }
    DistributedLock lock = lock(names.get(0)).as(owner);
    next.outcome =
        (wait.isEmpty() ? lock.acquireAsync() : lock.tryAcquireAsync(wait.get()))
            .toCompletableFuture();
  }

  private DistributedLock lock(String name) {
    return scene.has(Guarantee.SHARED) ? locks.readWriteLock(name).read() : locks.lock(name);
  }

  /** As {@code locks.all(names).as(owner)}, which uses the JVM's clock, does by this one. */
  private CompletableFuture<Optional<Lease>> acquireAll(
      List<String> names, LockOwner owner, Optional<Duration> wait) {
    CombinedNames together =
        scene.has(Guarantee.TOGETHER) ? combined(locks.all(names.toArray(String[]::new))) : null;
    CombinedStep<Lease> step =
        together == null ? null : (places, taken) -> together.take(owner, places, taken);
    GatherContext context = GatherContext.of(new Clock(time, time, Runnable::run), () -> random);
    return AllLocks.async(names.stream().map(name -> lock(name).as(owner)).toList(), step, context)
        .take(wait, parts -> parts.map(all -> AllLeases.of("all", all, together)));
  }

  private static CombinedNames combined(DistributedLock all) {
    try {
      Field field = AllLocks.class.getDeclaredField("combined");
      field.setAccessible(true);
      return (CombinedNames) field.get(all);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  private static void releases(Attempt one) {
    one.released = true;
    if (one.lease != null) {
      one.lease.releaseAsync();
    }
  }

  private void otherTakes(EveryOrderLock lock) {
    taken = true;
    lock.otherTakes();
  }

  // ---- what a lock keeps ----

  private void check() {
    List<Attempt> empty = new ArrayList<>();
    for (Attempt one : attempts) {
      if (!one.ended && one.outcome != null && one.outcome.isDone()) {
        one.ended = true;
        one.lease = lease(one.outcome, one.call.owner());
        if (one.lease == null && !one.outcome.isCompletedExceptionally()) {
          empty.add(one);
        }
      }
    }
    for (Attempt one : attempts) {
      for (String name : one.call.names()) {
        one.contended |= one.outcome != null && isContended(name, one);
        if (one.holds(name) && isHeldByOthers(name, one)) {
          throw new AssertionError("two hold " + name);
        }
      }
      if (empty.contains(one) && !one.contended) {
        throw new AssertionError("call " + attempts.indexOf(one) + " was empty, not contended");
      }
    }
  }

  private boolean isHeldByOthers(String name, Attempt one) {
    return store.lock(name).isHeldByOther()
        || (!scene.has(Guarantee.SHARED)
            && attempts.stream()
                .anyMatch(
                    other -> !other.call.owner().equals(one.call.owner()) && other.holds(name)));
  }

  /** Whether the other client or another call has the name, or has been granted it unawares. */
  private boolean isContended(String name, Attempt one) {
    EveryOrderLock lock = store.lock(name);
    return lock.isHeldByOther()
        || attempts.stream()
            .filter(other -> other != one && other.call.names().contains(name))
            .anyMatch(other -> other.holds(name) || (!lock.isFree() && other.isPending()));
  }

  /** Returns what a call that has ended got; null if nothing. */
  private @Nullable Lease lease(CompletableFuture<?> outcome, String owner) {
    Object found;
    try {
      found = outcome.join();
    } catch (CancellationException e) {
      return null;
    } catch (CompletionException e) {
      if (!(e.getCause() instanceof LockException) || !disturbed) {
        throw new AssertionError("it failed for no reason", e);
      }
      return null;
    }
    Lease lease = (Lease) (found instanceof Optional<?> some ? some.orElse(null) : found);
    if (lease != null) {
      lease.parts().forEach(part -> checkFence(part, owner));
    }
    return lease;
  }

  /**
   * Tokens grow from holder to holder. A re-entry has the token of its owner's hold, and a reader's
   * is larger than that of the writer before.
   */
  private void checkFence(Lease lease, String owner) {
    if (!lease.isValid()) {
      return;
    }
    Fence fence = new Fence(lease.fencingToken(), owner);
    EveryOrderLock lock = store.lock(lease.lockName());
    Fence before =
        scene.has(Guarantee.SHARED)
            ? new Fence(lock.fenceOfOther(), "other")
            : fences.put(lease.lockName(), fence);
    if (before != null
        && (fence.token() < before.token()
            || (fence.token() == before.token() && !owner.equals(before.owner())))) {
      throw new AssertionError("its fencing token is not larger");
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
      Optional<EveryOrderLock> others =
          scene.names().stream().map(store::lock).filter(EveryOrderLock::isHeldByOther).findFirst();
      if (!messages.isEmpty()) {
        Message message = messages.get(0);
        happens(new Choice(message.what(), () -> store.ends(message, message.delivered())));
      } else if (holding.isPresent()) {
        happens(new Choice("release", () -> releases(holding.get())));
      } else if (others.isPresent()) {
        happens(new Choice("other releases", others.get()::otherReleases));
      } else if (attempts.stream().anyMatch(Attempt::isPending) || !store.leftovers().isEmpty()) {
        if (!time.advanceToNext()) {
          throw new AssertionError(
              "it hangs; pending: "
                  + attempts.stream().filter(Attempt::isPending).map(attempts::indexOf).toList()
                  + ", left: "
                  + store.leftovers());
        }
        disturbed = true;
        events.add("time");
        check();
      } else {
        break;
      }
    }
    if (!TogetherSetting.table(locks).all().isEmpty()) {
      throw new AssertionError("its entry is left");
    }
  }
}
