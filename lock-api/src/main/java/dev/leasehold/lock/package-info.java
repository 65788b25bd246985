/**
 * What applications use: a {@link dev.leasehold.lock.LockManager} gives {@link
 * dev.leasehold.lock.DistributedLock}s, and each acquisition gives a {@link
 * dev.leasehold.lock.Lease}.
 *
 * <p>Across machines nobody owns a lock, one leases it. A lease has a deadline after which the
 * store gives the lock to somebody else, whether or not its holder is done; a loss signal; and a
 * fencing token, with which a resource can tell a late holder from the current one.
 * <!-- given: Ledger ledger, String entry -->
 *
 * <pre>{@code
 * try (LockManager locks = LockManager.open(LockSettings.of(Map.of()))) {
 *   try (Lease lease = locks.lock("invoice-4711").acquire()) {
 *     ledger.append(entry, lease.fencingToken());
 *   }
 * }
 * }</pre>
 *
 * <p>Four outcomes never look alike: <em>contended</em> is an empty {@code Optional},
 * <em>unreachable </em> is a {@link dev.leasehold.lock.LockStoreException}, <em>lost</em> is a
 * {@link dev.leasehold.lock.LeaseLostException} or {@link dev.leasehold.lock.Lease#lost()}, and
 * <em>unknown</em> is resolved by the engine before it answers.
 *
 * <p>What may come in: types that an application names. No client of any store, nothing that only a
 * backend needs (that is {@link dev.leasehold.lock.spi}), no implementation.
 */
@NullMarked
package dev.leasehold.lock;

import org.jspecify.annotations.NullMarked;
