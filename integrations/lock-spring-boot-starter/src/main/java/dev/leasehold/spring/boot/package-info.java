/**
 * Leasehold in Spring Boot: put the starter on the path, and there is a {@link
 * dev.leasehold.lock.LockManager} on the application's own Redis client, and {@link
 * dev.leasehold.methods.Locked} works in all beans.
 *
 * <p>Settings are {@code leasehold.*}. A {@link dev.leasehold.lock.LockListener}, a {@link
 * dev.leasehold.lock.spi.LeaseRenewer} or a {@link dev.leasehold.lock.spi.quorum.QuorumPolicy} that
 * is a bean is used; a {@code LockManager} that is a bean takes the place of ours.
 */
@NullMarked
package dev.leasehold.spring.boot;

import org.jspecify.annotations.NullMarked;
