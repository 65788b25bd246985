/**
 * Leasehold in Spring Boot: with the starter on the path, the application has a {@link
 * dev.leasehold.lock.LockManager} on its own Redis client, and {@link dev.leasehold.methods.Locked}
 * works in all beans.
 *
 * <p>Settings are {@code leasehold.*}. A {@link dev.leasehold.lock.LockListener}, a {@link
 * dev.leasehold.lock.spi.LeaseRenewer} or a {@link dev.leasehold.lock.spi.quorum.QuorumPolicy} bean
 * is used; a {@code LockManager} bean replaces the auto-configured one.
 */
@NullMarked
package dev.leasehold.spring.boot;

import org.jspecify.annotations.NullMarked;
