package dev.leasehold.lock.spi;

/**
 * The use of the run of fencing tokens that a grant reserved for hand-overs.
 *
 * @param used the last token that a holder had: the grant's own if there was no hand-over
 * @param last the last token reserved; larger than {@code used}
 */
public record FenceRun(long used, long last) {}
