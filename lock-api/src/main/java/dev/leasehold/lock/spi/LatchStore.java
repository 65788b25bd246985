package dev.leasehold.lock.spi;

import dev.leasehold.lock.Guarantee;

/**
 * A store that supports latches. It declares {@link Guarantee#LATCH}, and, unless it treats an
 * unopened latch as being at zero, {@link Guarantee#LATCH_OPENING}.
 */
public interface LatchStore extends LeaseStore {

  /**
   * The latches of this store, which are independent of locks of the same names, unless the store
   * {@linkplain LeaseStore#hasOneNameSpace() has one name space}. They are not started or closed
   * separately. Cheap to create.
   */
  Latches latches();
}
