package dev.leasehold.lock.internal;

import dev.leasehold.lock.internal.calls.Tokens;
import java.util.concurrent.ThreadLocalRandom;

/** The name under which a manager's holds, threads and connections are shown. */
public final class Label {
  private Label() {}

  /**
   * Returns the label if it is valid.
   *
   * @throws IllegalArgumentException that names what is allowed
   */
  public static String check(String label) {
    if (!Tokens.LABEL.matcher(label).matches()) {
      throw new IllegalArgumentException(
          "label '" + label + "' is not 1 to 64 characters of A-Z a-z 0-9 . _ @ -, the first no -");
    }
    return label;
  }

  /** Returns host, process id and four random characters. */
  public static String byDefault() {
    String random = Integer.toString(ThreadLocalRandom.current().nextInt(36 * 36 * 36 * 36), 36);
    return HostName.asLabel()
        + "-"
        + ProcessHandle.current().pid()
        + "-"
        + "0".repeat(4 - random.length())
        + random;
  }
}
