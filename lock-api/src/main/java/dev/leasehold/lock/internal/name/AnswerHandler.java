package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.LockException;
import org.jspecify.annotations.Nullable;

/** Handles a store's answer, or the failure that came in its place. */
public interface AnswerHandler<T> {
  /** Called under the name's mutex. */
  void take(@Nullable T answer, @Nullable LockException failure);
}
