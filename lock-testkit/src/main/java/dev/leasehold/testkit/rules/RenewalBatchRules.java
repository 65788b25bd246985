package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Leases renewed in one batch: a failure of one does not affect the others. */
final class RenewalBatchRules {
  private static final Duration LONG = TimeScale.seconds(30);
  private static final Duration LEASE = TimeScale.millis(600);
  private static final Duration DELAY = TimeScale.millis(50);

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
  void oneIsShort(Bench bench) throws Exception {
    OnDemand renewer = new OnDemand();
    Gate gate = new Gate();
    Faults faults = new Faults().every(Op.RENEW, StoreFault.answerHeld(gate));
    LockManager manager = bench.site().open(faults, b -> b.commandTimeout(LONG).renewer(renewer));
    try {
      Lease kept = bench.automatic(manager, bench.name(), LONG).acquire();
      Lease brief = bench.automatic(manager, bench.name(), LEASE).acquire();
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
  void oneGivesUp(Bench bench) throws Exception {
    Steps steps = new Steps(bench);
    LeaseStore store = steps.site().store();
    List<LeaseKey> keys = List.of(bench.key(bench.name()), bench.key(bench.name()));
    for (LeaseKey key : keys) {
      AcquireResult granted = steps.site().ask(store, key, LONG);
      Check.that(granted instanceof AcquireResult.Granted, "a free lock is granted: " + granted);
    }
    List<CompletionStage<RenewResult>> answers;
    try (ActiveFault slow = steps.after(0, CommandFault.delayReply(DELAY))) {
      answers = store.renew(keys.stream().map(key -> new RenewRequest(key, LONG)).toList());
      answers.get(0).toCompletableFuture().cancel(true);
      Check.equal(RenewResult.RENEWED, Await.value(answers.get(1)), "the other's answer");
      Check.that(slow.hits() > 0, "it went through the proxy");
    }
    for (LeaseKey key : keys) {
      store.release(key);
    }
  }
}
