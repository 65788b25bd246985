package dev.leasehold.testkit.rules;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts hand-overs inside a process, so that a rule about them can assert that there was one. */
final class HandOverCount implements LockListener {
  private static final Duration LONG = Duration.ofSeconds(10);

  private final Steps rule;
  private final AtomicInteger told = new AtomicInteger();

  HandOverCount(Steps rule) {
    this.rule = rule;
  }

  @Override
  public void on(LockEvent event) {
    if (event instanceof LockEvent.HandedOver) {
      told.incrementAndGet();
    }
  }

  /** Opens a manager whose hand-overs are counted. */
  LockManager open() {
    return rule.open(builder -> builder.listener(this));
  }

  /**
   * Waits for a hand-over, where hand-overs are possible. Listeners are notified asynchronously.
   */
  void awaitAny() {
    if (told.get() == 0 && mayBe()) {
      Await.until("a lease was handed over inside the process", () -> told.get() > 0);
    }
  }

  /**
   * Hand-over is impossible past a line on the server, and with fencing if no spare tokens are
   * granted.
   */
  boolean mayBe() {
    if (rule.promises(Guarantee.FAIR)) {
      return false;
    }
    if (!rule.promises(Guarantee.FENCING)) {
      return true;
    }
    if (!rule.backend().hasStore()) {
      return false; // cannot be determined without a store
    }
    LeaseStore store = rule.store();
    LeaseKey key = rule.key(rule.freshName());
    AcquireRequest wants = new AcquireRequest(key, LONG, IfHeld.REFUSE).withHandOvers(1);
    boolean grantsNumbers =
        Await.value(store.acquire(wants)) instanceof Granted granted && granted.handOvers() > 0;
    Await.value(store.release(key));
    return grantsNumbers;
  }
}
