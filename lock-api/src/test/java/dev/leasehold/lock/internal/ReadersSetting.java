package dev.leasehold.lock.internal;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import dev.leasehold.lock.internal.hold.Hold;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** Readers of one process, with time that the test moves. */
abstract class ReadersSetting {
  static final Duration LEASE = Duration.ofSeconds(30);
  static final Duration RUN = Duration.ofSeconds(20);

  final ManualTime time = new ManualTime();
  final ReadersStore store = new ReadersStore(time);
  final LogLines log = new LogLines();
  final LockManager locks = manager().build();
  final LockOptions options =
      LockOptions.builder().automaticLease(LEASE).handOver(new HandOver(3, RUN)).build();
  final DistributedLock one = readers("one");
  final DistributedLock other = readers("other");

  LockManager.Builder manager() {
    return time.manager(store);
  }

  DistributedLock readers(String owner) {
    return readers(locks, owner);
  }

  DistributedLock readers(LockManager locks, String owner) {
    return locks.readWriteLock("r", options).read().as(LockOwner.unique(owner));
  }

  @AfterEach
  void close() {
    locks.close();
    log.close();
  }

  static Lease take(DistributedLock lock) {
    return lock.tryAcquire().orElseThrow();
  }

  static boolean isJoined(Lease lease) {
    return ((LeaseHandle) lease).entry().hold.state() == Hold.State.JOINED;
  }
}
