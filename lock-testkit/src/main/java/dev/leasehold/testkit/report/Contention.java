package dev.leasehold.testkit.report;

import java.util.OptionalDouble;

/**
 * What a run of several processes on one lock came to.
 *
 * @param processes how many
 * @param threads threads in each
 * @param sections critical sections in all
 * @param sectionsPerSecond in all
 * @param commandsPerSection commands of clients to the server for each section; empty where the
 *     server can't tell
 * @param violations overlaps and other bugs that the history checker found
 */
public record Contention(
    int processes,
    int threads,
    long sections,
    double sectionsPerSecond,
    OptionalDouble commandsPerSection,
    long violations) {}
