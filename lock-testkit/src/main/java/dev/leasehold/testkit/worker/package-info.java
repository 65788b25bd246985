/**
 * Worker JVMs: real processes that hold and contend for locks at a rule's word, and can be stopped,
 * resumed and killed.
 *
 * <p>They are started with this JVM's class path and are used again by later rules. One line over
 * standard input is a command, one line over standard output its answer; a worker ends when its
 * input does, so that none outlives the tests.
 *
 * <p>What may come in: what crosses the border between processes, and both its sides.
 */
@NullMarked
package dev.leasehold.testkit.worker;

import org.jspecify.annotations.NullMarked;
