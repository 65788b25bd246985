package dev.leasehold.lock.internal.acquire;

import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How an acquisition ends. Immutable. */
record Decision(Outcome outcome, Optional<Lease> lease, @Nullable LockException failure) {

  /** Others have it. */
  static final Decision REFUSED = new Decision(Outcome.REFUSED, Optional.empty(), null);

  /** Its caller gives it up, and knows. */
  static final Decision CANCELLED = new Decision(Outcome.CANCELLED, Optional.empty(), null);

  static Decision has(Outcome how, Lease lease) {
    return new Decision(how, Optional.of(lease), null);
  }

  static Decision failed(LockException failure) {
    return new Decision(Outcome.FAILED, Optional.empty(), failure);
  }
}
