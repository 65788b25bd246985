/**
 * A deterministic simulation: virtual time, machines with their own clocks, a faulty network and a
 * lock store, all in one thread and determined by one seed.
 *
 * <p>A {@link dev.leasehold.testkit.sim.SimWorld} runs events in the order of their time. {@link
 * dev.leasehold.testkit.sim.SimNode}s are machines, whose clocks drift and which may pause and
 * crash. A {@link dev.leasehold.testkit.sim.SimServer} keeps locks as a real store does, and a
 * {@link dev.leasehold.testkit.sim.SimLeaseStore} is a client's connection to it, whose messages a
 * {@link dev.leasehold.testkit.sim.FaultPlan} delays, loses, duplicates or fails. {@link
 * dev.leasehold.testkit.sim.SimClient} runs the real engine on it. {@link
 * dev.leasehold.testkit.sim.Workload} lets owners contend and records their history.
 * <!-- given: long seed -->
 *
 * <pre>{@code
 * SimWorld world = new SimWorld(seed);
 * SimServer server = new SimServer(world.node("server"));
 * SimNode node = world.node("client");
 * SimClient client =
 *     SimClient.open(node, server.connect(node, FaultPlan.calm(Duration.ofMillis(1))));
 * Lease lease = world.await(client.lock("a").acquireAsync());
 * }</pre>
 *
 * <p>Everything runs in the caller's thread, so only the asynchronous methods of the API work: a
 * blocking call would wait for events that are never run. The same seed gives the same run.
 *
 * <p>What may come in: models of machines, networks and stores. No real time, thread or socket.
 */
@NullMarked
package dev.leasehold.testkit.sim;

import org.jspecify.annotations.NullMarked;
