package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.testkit.TimeScale;
import java.time.Duration;

/** The words of rules about read/write locks. */
abstract class ReadWriteSteps extends Steps {
  /** Of a side that is not to end by itself. A backend may have a limit for readers' leases. */
  static final Duration HELD = TimeScale.seconds(30);

  static final Duration BRIEF = TimeScale.millis(400);

  /** Length of a lease that is renewed: brief, but bearable for a new JVM on a busy machine. */
  static final Duration RENEWED = TimeScale.seconds(1);

  /** The read/write lock of this rule, by a new manager. */
  final DistributedReadWriteLock sides() {
    return sides(open());
  }

  final DistributedReadWriteLock sides(LockManager manager) {
    return sides(manager, LockOptions.fixed(HELD));
  }

  final DistributedReadWriteLock sides(LockManager manager, LockOptions options) {
    return manager.readWriteLock(name, options);
  }

  /** With automatic leases, and this limit of hand-overs. */
  final DistributedReadWriteLock sides(LockManager manager, HandOver run) {
    return sides(manager, LockOptions.builder().automaticLease(HELD).handOver(run).build());
  }

  /** By a new manager, without shared leases: each reader has its own. */
  final DistributedReadWriteLock apart() {
    return sides(open(), HandOver.none());
  }

  static LeaseStore reads(LeaseStore store) {
    return ((ReadWriteStore) store).reads();
  }

  static LeaseStore writes(LeaseStore store) {
    return ((ReadWriteStore) store).writes();
  }

  /** A holder that takes a side and then dies. */
  final LeaseKey dead(LeaseStore side, Duration ttl) {
    LeaseKey key = key(name);
    hold(side, key, ttl);
    return key;
  }
}
