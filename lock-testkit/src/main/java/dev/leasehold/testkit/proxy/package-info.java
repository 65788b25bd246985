/**
 * A proxy between a client and a server that understands what they say to each other, so that a
 * test can say what goes wrong with which command, and can count them.
 *
 * <p>What may come in: the protocol, faults of the network and of the server, and what was seen on
 * the way. Nothing that knows locks, and no client library.
 */
@NullMarked
package dev.leasehold.testkit.proxy;

import org.jspecify.annotations.NullMarked;
