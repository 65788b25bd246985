/**
 * What people come for, one class each, to run and to copy from: {@code mvn -q -Pexample
 * -Dexample=HotKey}.
 *
 * <p>Each runs its story twice, with the lock and without, on a Redis of its own and in several
 * processes; where there is a table it is in a real database, which counts for itself.
 */
@NullMarked
package dev.leasehold.examples.cases;

import org.jspecify.annotations.NullMarked;
