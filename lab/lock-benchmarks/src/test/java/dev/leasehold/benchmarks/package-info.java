/**
 * How fast the locks are, as ratios: of ours to the least that the same client can do, to
 * Redisson's, or to a lock of the JDK. What is compared is measured in one run, in alternation,
 * since absolute times drift on any machine. Nothing here asserts a time.
 */
@NullMarked
package dev.leasehold.benchmarks;

import org.jspecify.annotations.NullMarked;
