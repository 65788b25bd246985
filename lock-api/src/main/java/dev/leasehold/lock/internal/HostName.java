package dev.leasehold.lock.internal;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The name of this machine or container, for labels. Read once, without DNS if possible. */
public final class HostName {
  /** Leaves room for a process id and a unique suffix. */
  private static final int MOST = 40;

  private static final Path LINUX = Path.of("/proc/sys/kernel/hostname");

  private HostName() {}

  /** Its first part, with a hyphen for each character that a label can't have. */
  static String asLabel() {
    return Known.NAME;
  }

  public static String labelOf(String hostName) {
    String whole = hostName.strip();
    int dot = whole.indexOf('.');
    String first = (dot < 0 ? whole : whole.substring(0, dot)).replaceAll("[^A-Za-z0-9_-]", "-");
    first = first.replaceFirst("^-+", ""); // it begins the label
    return first.isEmpty() ? "host" : first.substring(0, Math.min(MOST, first.length()));
  }

  private static final class Known {
    static final String NAME = labelOf(find());

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
