/**
 * What backends implement, and what they are given.
 *
 * <p>A {@link dev.leasehold.lock.spi.LeaseStore} is one scheme's few primitive operations on a
 * store; the engine on top of it does owners, re-entry, waiting, hand-over, renewal, deadlines,
 * loss signals and unknown outcomes. A {@link dev.leasehold.lock.spi.LockBackend} makes stores from
 * settings and is found by {@link java.util.ServiceLoader}. A {@link
 * dev.leasehold.lock.spi.LeaseRenewer} is a replaceable part. What only locks on several nodes need
 * is in {@link dev.leasehold.lock.spi.quorum}.
 *
 * <p>What may come in: contracts between engine and stores, and small value types they share. No
 * algorithm, and no client type in any signature.
 */
@NullMarked
package dev.leasehold.lock.spi;

import org.jspecify.annotations.NullMarked;
