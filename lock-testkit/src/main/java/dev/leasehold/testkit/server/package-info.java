/**
 * Real servers for tests: started, stopped, killed and restarted, with nothing left behind; and a
 * minimal client to inspect them independently of the client under test.
 *
 * <p>{@link dev.leasehold.testkit.server.RedisServers#start()} starts a server of the kind given by
 * the system property {@code leasehold.server}.
 *
 * <p>What may come in: processes, topologies and their failures. Nothing that depends on locks.
 */
@NullMarked
package dev.leasehold.testkit.server;

import org.jspecify.annotations.NullMarked;
