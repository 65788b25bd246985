/**
 * Several locks at once, all or none. The blocking form waits for the asynchronous one.
 *
 * <p>Uses: kinds, acquire, handle, hold, lease, calls, events, threads.
 */
@NullMarked
package dev.leasehold.lock.internal.several;

import org.jspecify.annotations.NullMarked;
