/**
 * Leader election, on any lock.
 *
 * <p>Uses: several, threads.
 */
@NullMarked
package dev.leasehold.lock.internal.election;

import org.jspecify.annotations.NullMarked;
