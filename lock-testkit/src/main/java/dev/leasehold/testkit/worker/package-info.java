/**
 * Worker JVMs: real processes that hold and contend for locks on behalf of a rule, and can be
 * suspended, resumed and killed.
 *
 * <p>They are started with this JVM's class path and reused by later rules. Each command is a line
 * on standard input, each answer a line on standard output; a worker ends when its input is closed,
 * so that none outlives the tests.
 *
 * <p>What may come in: data exchanged between the processes, and both sides of the exchange.
 */
@NullMarked
package dev.leasehold.testkit.worker;

import org.jspecify.annotations.NullMarked;
