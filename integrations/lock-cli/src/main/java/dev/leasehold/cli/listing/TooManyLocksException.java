package dev.leasehold.cli.listing;

/** More locks match a pattern than can be compared. */
public final class TooManyLocksException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Creates the exception; its message gives the limit. */
  public TooManyLocksException() {
    super(
        "PATTERN: more than "
            + ListingChanges.MOST
            + " locks match; allowed is one that fewer match");
  }
}
