package dev.leasehold.lock.spi;

import dev.leasehold.lock.Guarantee;

/**
 * A store that can keep latches. It declares {@link Guarantee#LATCH}, and, unless one that nobody
 * has opened is at zero, {@link Guarantee#LATCH_OPENING}.
 */
public interface LatchStore extends LeaseStore {

  /**
   * Its latches: strangers to locks of the same names. Neither started nor closed by themselves.
   * Cheap to make.
   */
  Latches latches();
}
