/**
 * The demo that the README's first command runs: processes contend for a lock, one is killed, and
 * nothing is lost.
 *
 * <p>What may come in: what the demo needs to be watched and believed. No locking.
 */
@NullMarked
package dev.leasehold.examples.demo;

import org.jspecify.annotations.NullMarked;
