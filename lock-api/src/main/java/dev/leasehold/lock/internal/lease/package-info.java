/**
 * A lease that the store granted: its deadline, its renewal, and what was requested.
 *
 * <p>Only a confirmed renewal moves a deadline, measured from the time at which that renewal was
 * sent, and only forward. A renewer decides when leases are renewed, never whether they are valid.
 *
 * <p>Uses: name, calls, events, threads, flight.
 */
@NullMarked
package dev.leasehold.lock.internal.lease;

import org.jspecify.annotations.NullMarked;
