/**
 * Typical use cases, one class each, to run and to copy from: {@code mvn -q -Prun
 * -Drun=cases.HotKey}.
 *
 * <p>Each runs with the lock and without, on its own Redis and in several processes; tables are in
 * a real database, which does the counting.
 */
@NullMarked
package dev.leasehold.examples.cases;

import org.jspecify.annotations.NullMarked;
