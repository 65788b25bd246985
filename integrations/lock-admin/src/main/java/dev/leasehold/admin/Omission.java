package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;

/**
 * Something that a listing lacks.
 *
 * @param reason the reason, for programs
 * @param words the reason, as a sentence
 */
public record Omission(Reason reason, String words) {

  /** A reason why something is missing. Reasons may be added in any release. */
  public enum Reason {
    /**
     * Bare keys, which can't be distinguished from the application's own data without a narrower
     * pattern.
     */
    BARE_KEYS,
    /** These settings do not look for this format. */
    OTHER_SCHEME,
    /** A node of the quorum did not answer. */
    NODE_UNREACHABLE,
    /** There are more than the limit of a result. */
    TOO_MANY,
    /** The keys of this kind of lock do not reveal what it is. */
    INDISTINGUISHABLE
  }

  @Override
  public String toString() {
    return Quoted.record("Omission", "reason", reason, "words", words);
  }
}
