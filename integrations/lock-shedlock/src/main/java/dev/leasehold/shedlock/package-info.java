/** ShedLock's jobs on Leasehold's locks. */
@NullMarked
package dev.leasehold.shedlock;

import org.jspecify.annotations.NullMarked;
