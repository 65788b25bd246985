package dev.leasehold.lock.internal.lease;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.internal.calls.LeaseTimes;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.StoreContract;
import dev.leasehold.lock.internal.threads.Lifecycle;
import dev.leasehold.lock.internal.threads.Outbox;
import dev.leasehold.lock.internal.threads.Threads;
import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.LeaseRenewer.Outcome;
import dev.leasehold.lock.spi.LeaseRenewer.RenewableLease;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Connects the renewer, which decides when to renew, to the leases: sends the batches and processes
 * the answers. A renewer can neither move a deadline nor renew a lease that has ended.
 */
public final class Renewals implements LeaseRenewer.Context, AutoCloseable {
  private final LeaseRenewer renewer;
  private final StoreCalls calls;
  private final Lifecycle lifecycle;
  private final Ticker ticker;
  private final Threads threads;
  private final RandomGenerator random;
  private volatile boolean closed;

  public Renewals(
      LeaseRenewer renewer,
      StoreCalls calls,
      Lifecycle lifecycle,
      Ticker ticker,
      Threads threads,
      RandomGenerator random) {
    this.renewer = renewer;
    this.calls = calls;
    this.lifecycle = lifecycle;
    this.ticker = ticker;
    this.threads = threads;
    this.random = random;
  }

  public void start() {
    renewer.start(this);
  }

  /** Starts renewing a lease; has no effect if it is renewed already. Under the name's mutex. */
  public void keep(RemoteLease lease) {
    assert lease.monitor.isHeld();
    if (!lease.kept) {
      lease.kept = true;
      // A renewer that throws must not keep a hold from beginning; the lease then ends at its
      // deadline.
      Outbox.quietly(() -> renewer.add(lease));
    }
  }

  /** Stops renewing a lease; has no effect if it is not renewed. Under the name's mutex. */
  public void forget(RemoteLease lease) {
    assert lease.monitor.isHeld();
    if (lease.kept) {
      lease.kept = false;
      Outbox.quietly(() -> renewer.remove(lease));
    }
  }

  @Override
  public List<CompletionStage<Outcome>> renew(List<RenewableLease> batch) {
    List<CompletionStage<Outcome>> outcomes = new ArrayList<>(batch.size());
    List<One> due = new ArrayList<>(batch.size());
    for (RenewableLease renewable : batch) {
      One one = new One((RemoteLease) renewable);
      outcomes.add(one.outcome);
      if (one.begin()) {
        due.add(one);
      }
    }
    if (!due.isEmpty()) {
      threads.workers.execute(() -> send(due));
    }
    return outcomes;
  }

  /** Sends a batch for each view of the store. */
  private void send(List<One> due) {
    if (!lifecycle.begin()) {
      due.forEach(One::tooLate);
      return;
    }
    try {
      Map<LeaseStore, List<One>> byView = new LinkedHashMap<>();
      due.forEach(one -> byView.computeIfAbsent(one.view(), v -> new ArrayList<>()).add(one));
      byView.forEach(this::sendNow);
    } finally {
      lifecycle.end();
    }
  }

  private void sendNow(LeaseStore store, List<One> due) {
    long sentAt = ticker.nanos();
    List<RenewRequest> requests =
        due.stream().map(one -> new RenewRequest(one.lease.key(), one.ttl())).toList();
    List<Duration> limits = due.stream().map(One::limit).toList();
    List<CompletionStage<RenewResult>> answers = answers(store, requests);
    for (int i = 0; i < due.size(); i++) {
      One one = due.get(i);
      int place = i;
      CompletionStage<RenewResult> answer = StoreCalls.started("renew", () -> answers.get(place));
      calls
          .limited(one.lease.monitor.kind(), one.lease.lockName(), "renew", answer, limits.get(i))
          .whenComplete((result, failure) -> one.end(sentAt, result, failure));
    }
  }

  private List<CompletionStage<RenewResult>> answers(
      LeaseStore store, List<RenewRequest> requests) {
    try {
      return StoreContract.renew(store, requests);
    } catch (RuntimeException | Error e) { // an exception from the store counts as its answer
      CompletionStage<RenewResult> failed = CompletableFuture.failedStage(e);
      return Collections.nCopies(requests.size(), failed);
    }
  }

  /** One lease of a batch, from the start of its renewal to the outcome. */
  private final class One {
    final RemoteLease lease;
    final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final CompletableFuture<RenewResult> turn = new CompletableFuture<>();
    private @Nullable Duration asked;

    One(RemoteLease lease) {
      this.lease = lease;
    }

    /** Returns the view of the store that renews it together with others of its kind. */
    LeaseStore view() {
      return lease.monitor.services().operations().store();
    }

    Duration ttl() {
      return Objects.requireNonNull(asked, "not begun");
    }

    /**
     * Returns half of what the lease has left: after a lost answer there must be time for another
     * try, even if the lease is shorter than the command time-out. It is computed per lease, since
     * others of the batch may have more left.
     */
    Duration limit() {
      return lease.remaining().dividedBy(2);
    }

    /** Returns whether to send the renewal; if not, the outcome is complete. */
    boolean begin() {
      Optional<Outcome> instead =
          closed ? Optional.of(Outcome.ENDED) : lease.monitor.computed(this::claim);
      instead.ifPresent(outcome::complete);
      return instead.isEmpty();
    }

    /**
     * Makes the renewal the lease's current operation, under the name's mutex: until it ends, the
     * lease is not handed over.
     */
    private Optional<Outcome> claim() {
      if (!lease.kept || !lease.holders.isToBeRenewed(lease)) {
        return Optional.of(Outcome.ENDED);
      }
      if (!lease.claim(turn)) {
        return Optional.of(Outcome.FAILED); // another operation is under way: retry soon
      }
      asked = LeaseTimes.wholeMillis(lease.lease());
      lease.beginRenewal();
      return Optional.empty();
    }

    /** Ends the renewal because the manager was closed before it was sent. */
    void tooLate() {
      lease.monitor.locked(lease::noRenewal);
      outcome.complete(Outcome.ENDED);
      turn.complete(null);
    }

    void end(long sentAt, @Nullable RenewResult answer, @Nullable Throwable failure) {
      LockException typed = failure == null ? null : StoreCalls.typed(failure);
      try {
        outcome.complete(lease.monitor.computed(() -> taken(sentAt, answer, typed)));
      } finally {
        outcome.complete(Outcome.FAILED); // if it has none
        turn.complete(answer);
      }
    }

    private Outcome taken(
        long sentAt, @Nullable RenewResult answer, @Nullable LockException failure) {
      OptionalLong deadline = lease.renewed(sentAt, ttl(), answer, failure);
      if (failure != null) {
        lease.monitor.troubled(failure, sentAt);
        return Outcome.FAILED;
      }
      return lease.holders.renewed(lease, deadline) ? Outcome.RENEWED : Outcome.ENDED;
    }
  }

  @Override
  public Ticker ticker() {
    return ticker;
  }

  @Override
  public Scheduler scheduler() {
    return threads.timeouts; // one timer is for all leases: it must not be lost
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public void close() {
    closed = true;
    renewer.close();
  }
}
