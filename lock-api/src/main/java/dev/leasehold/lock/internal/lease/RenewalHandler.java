package dev.leasehold.lock.internal.lease;

import dev.leasehold.lock.LockException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Handles the outcome of a renewal: the result of {@link RemoteLease#renewed}, or the failure. */
public interface RenewalHandler {
  /** Called under the name's mutex. */
  void accept(OptionalLong deadline, @Nullable LockException failure);
}
