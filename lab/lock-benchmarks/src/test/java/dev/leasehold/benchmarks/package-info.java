/**
 * The speed of the locks, as ratios: of ours to the least that the same client can do, to
 * Redisson's, or to a JDK lock. Subjects that are compared are measured in one run, in alternation,
 * since absolute times drift on any machine. Nothing here asserts a time.
 */
@NullMarked
package dev.leasehold.benchmarks;

import org.jspecify.annotations.NullMarked;
