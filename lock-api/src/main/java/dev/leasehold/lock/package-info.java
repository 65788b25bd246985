/**
 * The application API: a {@link dev.leasehold.lock.LockManager} provides {@link
 * dev.leasehold.lock.DistributedLock}s, and each acquisition returns a {@link
 * dev.leasehold.lock.Lease}.
 *
 * <p>Across machines a lock cannot be owned, only leased. A lease has a deadline, after which the
 * store may grant the lock to another client whether or not the holder has finished; a loss signal;
 * and a fencing token, by which a resource can tell a late holder from the current one.
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
 * <p>Four outcomes are always distinguishable: <em>contended</em> is an empty {@code Optional};
 * <em>unreachable</em> is a {@link dev.leasehold.lock.LockStoreException}; <em>lost</em> is a
 * {@link dev.leasehold.lock.LeaseLostException} or {@link dev.leasehold.lock.Lease#lost()}; and an
 * <em>unknown</em> acquisition is never reported as held: it is retried, or released in the
 * background.
 *
 * <p>This package contains the types that applications name. It contains no client of any store,
 * nothing that only backends need (see {@link dev.leasehold.lock.spi}), and no implementation.
 */
@NullMarked
package dev.leasehold.lock;

import org.jspecify.annotations.NullMarked;
