/**
 * Notifications to users: listeners, with their failures contained, and the log.
 *
 * <p>Uses: threads.
 */
@NullMarked
package dev.leasehold.lock.internal.events;

import org.jspecify.annotations.NullMarked;
