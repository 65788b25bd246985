/**
 * The SPI for backends on several nodes, and for backends whose stores can be such nodes. A backend
 * on a single store does not need it.
 *
 * <p>A {@link dev.leasehold.lock.spi.quorum.QuorumBackend} combines several stores into one lock; a
 * {@link dev.leasehold.lock.spi.quorum.QuorumPolicy} decides which {@link
 * dev.leasehold.lock.spi.quorum.NodeSet} is a quorum. A {@link
 * dev.leasehold.lock.spi.quorum.NodeBackend} opens nodes that tolerate restarts: each is an {@link
 * dev.leasehold.lock.spi.quorum.IdentifiedStore}, and with fencing tokens a {@link
 * dev.leasehold.lock.spi.quorum.QuorumNode}; with semaphores a {@link
 * dev.leasehold.lock.spi.quorum.SlotStore}.
 *
 * <p>The contents are restricted as for {@link dev.leasehold.lock.spi}.
 */
@NullMarked
package dev.leasehold.lock.spi.quorum;

import org.jspecify.annotations.NullMarked;
