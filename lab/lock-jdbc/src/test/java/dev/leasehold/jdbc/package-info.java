/**
 * A store of a user's own, on a database. It is the example on the kit's page, and no product: the
 * SQL is H2's.
 *
 * <p>What may come in: what that page needs.
 */
@NullMarked
package dev.leasehold.jdbc;

import org.jspecify.annotations.NullMarked;
