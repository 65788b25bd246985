/**
 * The application's side of a hold: handles, loss signals, and releases on their way to the store.
 *
 * <p>Uses: hold, lease, name, calls, events, threads.
 */
@NullMarked
package dev.leasehold.lock.internal.handle;

import org.jspecify.annotations.NullMarked;
