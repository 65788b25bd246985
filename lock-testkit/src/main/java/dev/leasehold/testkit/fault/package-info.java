/**
 * Faults between the engine and its store, for any backend: lost or late answers, calls that are
 * held back or fail, lost wake-ups, and a record of all calls.
 *
 * <p>What may come in: faults that depend on the store's interface only.
 */
@NullMarked
package dev.leasehold.testkit.fault;

import org.jspecify.annotations.NullMarked;
