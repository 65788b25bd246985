/**
 * Real servers for tests: started, stopped, killed and restarted, with nothing left behind; and a
 * small client of the kit's own to look into them without believing the client under test.
 *
 * <p>{@link dev.leasehold.testkit.server.RedisServers#start()} starts what the system property
 * {@code leasehold.server} names.
 *
 * <p>What may come in: processes, topologies and what is wrong with them. Nothing that knows locks.
 */
@NullMarked
package dev.leasehold.testkit.server;

import org.jspecify.annotations.NullMarked;
