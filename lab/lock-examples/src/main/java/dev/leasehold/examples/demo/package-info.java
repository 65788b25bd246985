/**
 * The demo run by the README's first command: processes contend for a lock, one is killed, and no
 * update is lost.
 *
 * <p>What may come in: whatever the demo needs to show and prove its result. No locking.
 */
@NullMarked
package dev.leasehold.examples.demo;

import org.jspecify.annotations.NullMarked;
