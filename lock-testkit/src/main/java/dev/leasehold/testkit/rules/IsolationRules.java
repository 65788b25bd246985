package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Gate;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Checks that nothing harms other leases: code outside the engine, a user's or a store's, or a
 * failure of one lease that is renewed with others.
 */
final class IsolationRules extends Steps {
  private static final Duration DELAY = TimeScale.millis(50);

  /** More than an engine is likely to have threads for callbacks. */
  private static final int MANY = 100;

  private static final Duration LEASE = TimeScale.millis(900);
  private static final Duration BRIEF = TimeScale.millis(300);
  private static final Duration LATE = TimeScale.seconds(1);

  // ---- LO-5 ----

  // Catches an engine whose renewals, time-outs or signals share threads with callbacks.
  @Rule(value = "LO-5", shows = "a hundred continuations that block", timed = true)
  void manyThatBlock() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger blocked = new AtomicInteger();
    Thread rule = Thread.currentThread();
    LockManager manager = open();
    LockManager other = open();
    try {
      Lease kept = automatic(manager, freshName(), LEASE).acquire();
      String taken = freshName();
      Lease theirs = fixed(other, taken, LONG).acquire();
      Runnable acquisition =
          () ->
              fixed(manager, freshName(), LONG)
                  .acquireAsync()
                  .thenAccept(
                      lease -> {
                        if (Thread.currentThread() != rule) { // equal if it was already granted
                          block(blocked, end);
                        }
                      });
      for (int i = 0; i < MANY; i++) {
        acquisition.run();
      }
      Await.until(
          "some of them block",
          () -> {
            acquisition.run(); // on a busy machine all others may have been granted already
            return blocked.get() > 0;
          });
      long begun = System.nanoTime();
      Check.that(
          manager.lock(taken).tryAcquire(LEASE).isEmpty(), "a lock that another has is refused");
      Duration took = since(begun);
      Check.atMost(LEASE.plus(LATE), took, "how long a timed attempt takes meanwhile");
      Lease ends = fixed(manager, freshName(), BRIEF).acquire();
      Await.until("its lease ends", () -> !ends.isValid());
      Await.value(ends.lost());
      Await.pass(LEASE);
      Check.that(kept.isValid(), "a lease is renewed while continuations block");
      Check.that(blocked.get() > 0, "continuations block until now");
      kept.release();
      theirs.release();
    } finally {
      end.countDown();
    }
  }

  /** Counts as blocked until {@code end}. */
  private static void block(AtomicInteger blocked, CountDownLatch end) {
    blocked.incrementAndGet();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      blocked.decrementAndGet();
    }
  }

  @Rule(value = "LO-5", shows = "an executor that refuses", timed = true)
  void executorThatRefuses() throws Exception {
    Executor refusing =
        task -> {
          throw new RejectedExecutionException("refused by the rule");
        };
    LockManager manager = open(builder -> builder.executor(refusing));
    Lease kept = automatic(manager, freshName(), LEASE).acquire();
    Lease ends = fixed(manager, freshName(), BRIEF).acquire();
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger told = new AtomicInteger();
    try {
      // The callback may run anywhere but on a thread that other leases need.
      ends.lost().thenRun(() -> block(told, end));
      Await.until("the loss is signalled", () -> told.get() > 0);
      Await.value(manager.lock(freshName()).acquireAsync()).release();
      Await.pass(LEASE);
      Check.that(kept.isValid(), "a lease is renewed although the executor refuses callbacks");
      Check.that(told.get() > 0, "the callback blocks until now");
      kept.release();
    } finally {
      end.countDown();
    }
  }

  // ---- FL-2 ----

  // Catches an engine that leaks a name whose store call ended in an Error.
  @Rule(value = "FL-2", shows = "an Error thrown by the store's client", needs = Need.STORE)
  void errors() throws Exception {
    Faults faults = new Faults().next(Op.ACQUIRE, thrown()).next(Op.RELEASE, thrown());
    LockManager manager = open(faults);
    Check.fails(LockStoreException.class, "the attempt", manager.lock(name)::tryAcquire);
    Lease lease =
        Await.value(manager.lock(name).tryAcquireAsync(LATE))
            .orElseThrow(() -> new AssertionError("the lock is had at the next attempt"));
    try {
      lease.release();
    } catch (LockStoreException unheard) {
      // also correct: it is retried in the background
    }
    Optional<Lease> next = manager.lock(name).tryAcquire(LATE.multipliedBy(5));
    next.orElseThrow(() -> new AssertionError("the lock is had after the release")).release();
  }

  private static StoreFault thrown() {
    return StoreFault.throwing(() -> new AssertionError("an Error, thrown by the rule"));
  }

  /** Renews all leases in one batch, on demand. */
  private static final class OnDemand implements LeaseRenewer {
    private final List<RenewableLease> leases = new CopyOnWriteArrayList<>();
    private volatile @Nullable Context context;

    @Override
    public void start(Context lent) {
      context = lent;
    }

    @Override
    public void add(RenewableLease lease) {
      leases.add(lease);
    }

    @Override
    public void remove(RenewableLease lease) {
      leases.remove(lease);
    }

    @Override
    public void close() {
      leases.clear();
    }

    CompletionStage<Outcome> renewAll(String askedFor) {
      List<RenewableLease> batch = List.copyOf(leases);
      List<CompletionStage<Outcome>> outcomes =
          Objects.requireNonNull(context, "not started").renew(batch);
      int at = batch.stream().map(RenewableLease::lockName).toList().indexOf(askedFor);
      return outcomes.get(at);
    }
  }

  // Catches a batch whose calls are all given up when its shortest lease runs out.
  @Rule(
      value = "LO-5",
      shows = "one lease of a batch ends while the answer is awaited",
      needs = Need.STORE,
      timed = true)
  void oneIsShort() throws Exception {
    OnDemand renewer = new OnDemand();
    Gate gate = new Gate();
    Faults faults = new Faults().every(Op.RENEW, StoreFault.answerHeld(gate));
    LockManager manager = open(faults, b -> b.commandTimeout(LONG).renewer(renewer));
    try {
      Lease kept = automatic(manager, freshName(), LONG).acquire();
      Lease brief = automatic(manager, freshName(), LEASE).acquire();
      CompletionStage<LeaseRenewer.Outcome> renewed = renewer.renewAll(kept.lockName());
      Await.until("the short lease ends", () -> !brief.isValid());
      gate.open();
      Check.equal(
          LeaseRenewer.Outcome.RENEWED, Await.value(renewed), "the long lease's renewal in time");
      kept.release();
    } finally {
      gate.open(); // lets the manager close
    }
  }

  // Catches a store that withdraws the whole command of a batch when one of its leases gives up.
  @Rule(
      value = "LO-5",
      shows = "one renewal of a batch is given up",
      needs = {Need.STORE, Need.REDIS})
  void oneGivesUp() {
    Moment first = new Moment(bench, 0);
    LeaseStore store = first.site().store();
    List<LeaseKey> keys = List.of(key(freshName()), key(freshName()));
    keys.forEach(key -> hold(store, key, LONG));
    try (ActiveFault slow = first.fromNowOn(CommandFault.delayReply(DELAY))) {
      List<CompletionStage<RenewResult>> answers =
          store.renew(keys.stream().map(key -> new RenewRequest(key, LONG)).toList());
      answers.get(0).toCompletableFuture().cancel(true);
      Check.equal(RenewResult.RENEWED, Await.value(answers.get(1)), "the other's answer");
      Check.that(slow.hits() > 0, "it went through the proxy");
    }
    keys.forEach(store::release);
  }
}
