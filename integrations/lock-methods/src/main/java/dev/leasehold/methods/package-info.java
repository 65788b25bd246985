/**
 * {@link dev.leasehold.methods.Locked} puts a method under a lock, {@link
 * dev.leasehold.methods.CurrentLease} gives it the lease, {@link dev.leasehold.methods.OnTimeout}
 * says what becomes of a call that does not get the lock. What makes the objects (Guice, Spring)
 * puts it into effect.
 */
@NullMarked
package dev.leasehold.methods;

import org.jspecify.annotations.NullMarked;
