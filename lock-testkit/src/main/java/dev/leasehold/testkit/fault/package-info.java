/**
 * Faults between the engine and its store, for any backend: answers that are lost or late, calls
 * that are held back or fail, wake-ups that never come, and a record of what was called.
 *
 * <p>What may come in: faults that need to know nothing but the store's interface.
 */
@NullMarked
package dev.leasehold.testkit.fault;

import org.jspecify.annotations.NullMarked;
