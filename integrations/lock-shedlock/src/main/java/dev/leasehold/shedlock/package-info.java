/** A ShedLock lock provider on Leasehold's locks. */
@NullMarked
package dev.leasehold.shedlock;

import org.jspecify.annotations.NullMarked;
