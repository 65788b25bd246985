package dev.leasehold.testkit.node;

import dev.leasehold.testkit.fault.Op;

/**
 * A call that a node has executed.
 *
 * @param op the operation; a vote is an {@link Op#ACQUIRE}, and so is raising a fence
 * @param name of the lock
 * @param token of the lease; empty for an inspection
 */
public record NodeCall(Op op, String name, String token) {}
