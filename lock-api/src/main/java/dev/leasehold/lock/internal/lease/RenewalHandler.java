package dev.leasehold.lock.internal.lease;

import dev.leasehold.lock.LockException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What becomes of a renewal: as {@link RemoteLease#renewed}, or the failure. */
public interface RenewalHandler {
  /** Under the name's mutex. */
  void accept(OptionalLong deadline, @Nullable LockException failure);
}
