package dev.leasehold.lock.spi;

import dev.leasehold.lock.Guarantee;

/**
 * A store that supports read/write locks. It declares {@link Guarantee#SHARED}, and {@link
 * Guarantee#WRITERS_TURN} if readers do not starve waiting writers.
 *
 * <p>The two sides are <i>views</i> of the store: the same operations with the same contract. A
 * lease of the write side excludes all other leases of both sides; a lease of the read side
 * excludes only the write side. Each lease is renewed and ends independently. Read/write locks and
 * plain locks of the same name are independent, unless the store {@linkplain #hasOneNameSpace()
 * says otherwise}.
 *
 * <p>A writer's fence is larger than all earlier fences of both sides. A reader's fence lies
 * between those of the previous and the next writer; readers may share one. A view is not started
 * or closed separately. Cheap to create.
 */
public interface ReadWriteStore extends LeaseStore {

  /** The read side. */
  LeaseStore reads();

  /**
   * The read side for the owner of a lease of the write side: while that lease is held, a request
   * is granted at once; otherwise it is treated like any other.
   */
  LeaseStore readsBeside(LeaseKey write);

  /** The write side. */
  LeaseStore writes();
}
