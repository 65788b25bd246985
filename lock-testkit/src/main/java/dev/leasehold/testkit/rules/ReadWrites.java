package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.TimeScale;
import java.time.Duration;

/** Helpers shared by the read/write rules. */
final class ReadWrites {
  static final Duration LONG = TimeScale.seconds(30);
  static final Duration BRIEF = TimeScale.millis(400);

  /** Length of a lease that is renewed: brief, but bearable for a new JVM on a busy machine. */
  static final Duration RENEWED = TimeScale.seconds(1);

  /** Allowed delay of a waiter, including a busy machine. */
  static final Duration SLACK = TimeScale.seconds(3);

  private ReadWrites() {}

  static DistributedReadWriteLock of(LockManager manager, String name) {
    return manager.readWriteLock(name, LockOptions.fixed(LONG));
  }

  /** A read/write lock without shared leases: each reader has its own. */
  static DistributedReadWriteLock apart(LockManager manager, String name) {
    return with(manager, name, HandOver.none());
  }

  static DistributedReadWriteLock with(LockManager manager, String name, HandOver run) {
    return manager.readWriteLock(
        name, LockOptions.builder().automaticLease(LONG).handOver(run).build());
  }

  /** A holder that takes a side and then dies. */
  static LeaseKey dead(Bench bench, LeaseStore side, String name, Duration ttl) {
    LeaseKey key = bench.key(name);
    AcquireRequest request = new AcquireRequest(key, ttl, IfHeld.REFUSE);
    Check.that(
        Await.value(side.acquire(request)) instanceof AcquireResult.Granted,
        "a free side is taken");
    return key;
  }
}
