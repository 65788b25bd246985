/**
 * The application's side of a hold: handles, loss signals, and releases on their way to the store.
 *
 * <p>Uses: hold, lease, name, calls, threads.
 */
@NullMarked
package dev.leasehold.lock.internal.handle;

import org.jspecify.annotations.NullMarked;
