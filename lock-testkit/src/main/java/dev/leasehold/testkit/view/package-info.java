/**
 * Looks at what a store has written, and changes it, behind the back of the lock under test: where
 * the keys of a name are, what their values say, on one server or on several.
 *
 * <p>What may come in: what reads and writes data of locks without the lock. Nothing that runs a
 * rule.
 */
@NullMarked
package dev.leasehold.testkit.view;

import org.jspecify.annotations.NullMarked;
