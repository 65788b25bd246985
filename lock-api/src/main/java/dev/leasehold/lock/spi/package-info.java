/**
 * The SPI: interfaces that backends implement, and the services the engine provides to them.
 *
 * <p>A {@link dev.leasehold.lock.spi.LeaseStore} provides the few primitive operations of one
 * scheme on a store; the engine on top of it implements owners, re-entry, waiting, hand-over,
 * renewal, deadlines, loss signals and unknown outcomes. A {@link
 * dev.leasehold.lock.spi.LockBackend} makes stores from settings and is found by {@link
 * java.util.ServiceLoader}. A {@link dev.leasehold.lock.spi.LeaseRenewer} is a replaceable part of
 * the engine. Types for locks on several nodes are in {@link dev.leasehold.lock.spi.quorum}.
 *
 * <p>This package contains contracts between engine and stores, and small value types that they
 * share. It contains no algorithm, and no client type in any signature.
 */
@NullMarked
package dev.leasehold.lock.spi;

import org.jspecify.annotations.NullMarked;
