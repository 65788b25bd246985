package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The outcome of an acquisition. Immutable. */
record Decision(Outcome outcome, Optional<Lease> lease, @Nullable LockException failure) {

  /** The lock is held by others. */
  static final Decision REFUSED = new Decision(Outcome.REFUSED, Optional.empty(), null);

  /** The caller gave up, so it needs no notification. */
  static final Decision CANCELLED = new Decision(Outcome.CANCELLED, Optional.empty(), null);

  static Decision has(Outcome how, Lease lease) {
    return new Decision(how, Optional.of(lease), null);
  }

  static Decision failed(LockException failure) {
    return new Decision(Outcome.FAILED, Optional.empty(), failure);
  }
}
