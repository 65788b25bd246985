package dev.leasehold.lock.internal.name;

import dev.leasehold.lock.LockException;
import org.jspecify.annotations.Nullable;

/** What to do with a store's answer, or with the failure that came in its place. */
public interface AnswerHandler<T> {
  /** Under the cell's mutex. */
  void take(@Nullable T answer, @Nullable LockException failure);
}
