package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;

/**
 * What a listing can't have.
 *
 * @param reason why, for code
 * @param words the same in a sentence, for people
 */
public record Omission(Reason reason, String words) {

  /** Why something is not listed. Reasons may be added in any release. */
  public enum Reason {
    /**
     * Bare keys, which without a narrower pattern can't be told from the application's own data.
     */
    BARE_KEYS,
    /** A format is not looked for with these settings. */
    OTHER_SCHEME,
    /** A node of the quorum did not answer. */
    NODE_UNREACHABLE,
    /** There are more than a result may have. */
    TOO_MANY,
    /** A kind of lock leaves nothing in the keys by which it could be recognized. */
    INDISTINGUISHABLE
  }

  @Override
  public String toString() {
    return Quoted.record("Omission", "reason", reason, "words", words);
  }
}
