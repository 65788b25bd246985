/**
 * {@link dev.leasehold.methods.Locked} runs a method under a lock, {@link
 * dev.leasehold.methods.CurrentLease} passes it the lease, and {@link
 * dev.leasehold.methods.OnTimeout} determines what happens to a call that does not acquire the
 * lock. The framework that creates the objects (Guice, Spring) applies them.
 */
@NullMarked
package dev.leasehold.methods;

import org.jspecify.annotations.NullMarked;
