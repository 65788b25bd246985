/**
 * The kinds of locks: plain locks, semaphores, read/write locks, and their views as {@link
 * java.util.concurrent.locks.Lock}. Each is a view of the store over the same acquisitions.
 *
 * <p>Uses: acquire, handle, hold, lease, name, calls, threads.
 */
@NullMarked
package dev.leasehold.lock.internal.kinds;

import org.jspecify.annotations.NullMarked;
