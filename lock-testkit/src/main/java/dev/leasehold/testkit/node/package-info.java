/**
 * Nodes of a quorum in memory, and what can go wrong with one: dead, hung, slow, answers lost, data
 * gone, a clock that is wrong.
 *
 * <p>What may come in: what a node does, and nothing that knows how a quorum works.
 */
@NullMarked
package dev.leasehold.testkit.node;

import org.jspecify.annotations.NullMarked;
