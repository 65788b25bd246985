package dev.leasehold.simulation;

/** What a server answers instead of a result. */
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

  /** Its code, such as WRONGTYPE. */
  public String code() {
    return words().split(" ", 2)[0];
  }

  /** All of it. */
  public String words() {
    return String.valueOf(getMessage());
  }
}
