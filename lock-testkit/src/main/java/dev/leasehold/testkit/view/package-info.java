/**
 * Reads and changes a store's data directly, without the lock under test: where the keys of a name
 * are and what their values mean, on one server or several.
 *
 * <p>What may come in: code that reads and writes a lock's data without the lock. Nothing that runs
 * a rule.
 */
@NullMarked
package dev.leasehold.testkit.view;

import org.jspecify.annotations.NullMarked;
