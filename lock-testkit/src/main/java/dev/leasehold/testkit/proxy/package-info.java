/**
 * A proxy between a client and a server that understands the protocol, so that a test can inject
 * faults into particular commands, and count them.
 *
 * <p>What may come in: the protocol, faults of the network and of the server, and records of the
 * traffic. Nothing that depends on locks, and no client library.
 */
@NullMarked
package dev.leasehold.testkit.proxy;

import org.jspecify.annotations.NullMarked;
