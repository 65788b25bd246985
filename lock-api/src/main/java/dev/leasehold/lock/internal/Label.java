package dev.leasehold.lock.internal;

import dev.leasehold.lock.internal.calls.Tokens;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** The name under which a manager's holds, threads and connections are shown. */
public final class Label {
  /** Leaves room for a process id and a unique suffix. */
  private static final int MOST_OF_HOST = 40;

  private static final Path LINUX = Path.of("/proc/sys/kernel/hostname");

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
    return Known.NAME
        + "-"
        + ProcessHandle.current().pid()
        + "-"
        + "0".repeat(4 - random.length())
        + random;
  }

  /** The first part of a host's name, with a hyphen for each character that a label can't have. */
  static String ofHost(String hostName) {
    String whole = hostName.strip();
    int dot = whole.indexOf('.');
    String first = (dot < 0 ? whole : whole.substring(0, dot)).replaceAll("[^A-Za-z0-9_-]", "-");
    first = first.replaceFirst("^-+", ""); // it begins the label
    return first.isEmpty() ? "host" : first.substring(0, Math.min(MOST_OF_HOST, first.length()));
  }

  /** The name of this machine or container. Read once, without DNS if possible. */
  private static final class Known {
    static final String NAME = ofHost(find());

    private static String find() {
      Map<String, String> environment = System.getenv();
      return Optional.ofNullable(environment.get("HOSTNAME"))
          .or(() -> Optional.ofNullable(environment.get("COMPUTERNAME")))
          .filter(name -> !name.isBlank())
          .orElseGet(Known::ask);
    }

    private static String ask() {
      try {
        return Files.isReadable(LINUX)
            ? Files.readString(LINUX)
            : InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException e) {
        return "";
      } catch (IOException e) {
        return "";
      }
    }
  }
}
