/**
 * Locks as their servers have them, seen from outside the applications: {@link
 * dev.leasehold.admin.LockAdmin} lists locks, shows one in detail, breaks a hold, and takes a name
 * for maintenance. It reads the library's own settings, so that it looks at the keys that the
 * applications use.
 *
 * <p>Internals: a {@code Server} is one Redis or one cluster, on a Lettuce connection; {@code
 * Nodes} are the servers of a quorum, or a single one. A {@code Layout} is one way of keeping locks
 * in keys: it knows which keys to scan for, which script reads a name, and which one ends a hold.
 * What the nodes answer is merged by {@code Merge}.
 */
@NullMarked
package dev.leasehold.admin;

import org.jspecify.annotations.NullMarked;
