package dev.leasehold.redisson;

import dev.leasehold.lock.LockStoreException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a script answered.
 *
 * @param doubt why what it wrote must not count, if it must not: no replica has it
 */
record Answer<R extends @Nullable Object>(R reply, Optional<LockStoreException> doubt) {

  /** What counts as it stands. */
  static <R extends @Nullable Object> Answer<R> of(R reply) {
    return new Answer<>(reply, Optional.empty());
  }
}
