package dev.leasehold.lock.spi;

import dev.leasehold.lock.Guarantee;

/**
 * A store that can keep read/write locks. It declares {@link Guarantee#SHARED}, and where waiting
 * writers are not passed by readers for ever {@link Guarantee#WRITERS_TURN}.
 *
 * <p>The two sides are <i>views</i> of the store: the same operations with the same contract. A
 * lease of the write side excludes all other leases of both sides; those of the read side only the
 * write side. Each lives and dies alone. Read/write locks and plain locks of one name have nothing
 * to do with one another, unless the store {@linkplain #hasOneNameSpace() says otherwise}.
 *
 * <p>A writer's fence is larger than all before it of both sides; a reader's is larger than the
 * last writer's and smaller than the next one's, and readers may share one. A view is neither
 * started nor closed by itself. Cheap to make.
 */
public interface SharedLeaseStore extends LeaseStore {

  /** The read side. */
  LeaseStore reads();

  /**
   * The read side for the owner of a lease of the write side: while that is held, a request is
   * granted beside it at once; else it is as any other.
   */
  LeaseStore readsBeside(LeaseKey write);

  /** The write side. */
  LeaseStore writes();
}
