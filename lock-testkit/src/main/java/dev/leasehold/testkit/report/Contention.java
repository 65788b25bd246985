package dev.leasehold.testkit.report;

import java.util.OptionalDouble;

/**
 * The result of a contention run: several processes on one lock.
 *
 * @param processes number of processes
 * @param threads threads per process
 * @param sections critical sections in total
 * @param sectionsPerSecond in total
 * @param commandsPerSection client commands to the server per section; empty where the server
 *     cannot be counted
 * @param violations overlaps and other bugs found by the history checker
 */
public record Contention(
    int processes,
    int threads,
    long sections,
    double sectionsPerSecond,
    OptionalDouble commandsPerSection,
    long violations) {}
