/**
 * In-memory nodes of a quorum and their failures: dead, hung, slow, lost answers, lost data, a
 * wrong clock.
 *
 * <p>What may come in: the behaviour of a node. Nothing that depends on how a quorum works.
 */
@NullMarked
package dev.leasehold.testkit.node;

import org.jspecify.annotations.NullMarked;
