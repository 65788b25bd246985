/**
 * What backends on several nodes implement, and backends whose stores can be nodes. A backend on
 * one store needs nothing of it.
 *
 * <p>A {@link dev.leasehold.lock.spi.quorum.QuorumBackend} makes one lock of several stores; a
 * {@link dev.leasehold.lock.spi.quorum.QuorumPolicy} says which {@link
 * dev.leasehold.lock.spi.quorum.NodeSet} is enough. A {@link
 * dev.leasehold.lock.spi.quorum.NodeBackend} opens nodes that bear restarts: each an {@link
 * dev.leasehold.lock.spi.quorum.IdentifiedStore}, and with fencing tokens a {@link
 * dev.leasehold.lock.spi.quorum.QuorumNode}; with semaphores a {@link
 * dev.leasehold.lock.spi.quorum.SlotStore}.
 *
 * <p>What may come in: as for {@link dev.leasehold.lock.spi}.
 */
@NullMarked
package dev.leasehold.lock.spi.quorum;

import org.jspecify.annotations.NullMarked;
