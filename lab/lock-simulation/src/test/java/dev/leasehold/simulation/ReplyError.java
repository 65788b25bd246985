package dev.leasehold.simulation;

/** An error reply of a server. */
public final class ReplyError extends RuntimeException {
  private static final long serialVersionUID = 1;

  ReplyError(String words) {
    super(words, null, false, false);
  }

  static ReplyError wrongType() {
    return new ReplyError("WRONGTYPE Operation against a key holding the wrong kind of value");
  }

  static ReplyError syntax() {
    return new ReplyError("ERR syntax error");
  }

  /** Its code, for instance WRONGTYPE. */
  public String code() {
    return words().split(" ", 2)[0];
  }

  /** The full text. */
  public String words() {
    return String.valueOf(getMessage());
  }
}
