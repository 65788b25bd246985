package dev.leasehold.lock.spi;

/**
 * What became of the numbers that a grant was given for hand-overs.
 *
 * @param used the last one that a holder had: the grant's fence, if there was no hand-over
 * @param last the last one that was given; larger than {@code used}
 */
public record FenceRun(long used, long last) {}
