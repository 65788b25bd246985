package dev.leasehold.cli.listing;

/** More locks match a pattern than are compared with each other. */
public final class TooManyLocksException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Says how many are allowed. */
  public TooManyLocksException() {
    super(
        "PATTERN: more than "
            + ListingChanges.MOST
            + " locks match; allowed is one that fewer match");
  }
}
