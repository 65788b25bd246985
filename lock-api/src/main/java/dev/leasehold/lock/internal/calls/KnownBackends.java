package dev.leasehold.lock.internal.calls;

import dev.leasehold.lock.Guarantee;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;

/**
 * Texts about Leasehold's own backends, for error messages and the check of settings, from {@code
 * backends.properties}. Thread-safe.
 */
public final class KnownBackends {
  private static final String FILE = "backends.properties";

  private KnownBackends() {}

  /** The jars to choose from, for a path that has no backend. */
  public static String jars() {
    return text("jars");
  }

  /** The jar of the backend that asks several servers. */
  public static String jarOfAQuorum() {
    return text("jar-of-a-quorum");
  }

  /** The backends that promise a guarantee. */
  public static String promising(Guarantee guarantee) {
    return text(guarantee.name());
  }

  /** The prefixes of the backends' settings. */
  public static List<String> sections() {
    return List.of(text("sections").split(" "));
  }

  /** The setting that names the server of a backend on one server. */
  public static String addressOfOneServer() {
    return text("address-of-one-server");
  }

  /** The setting that names the servers of a quorum. */
  public static String addressesOfAQuorum() {
    return text("addresses-of-a-quorum");
  }

  /** Reads the texts. Not cached: needed only for an error, or when a manager is opened. */
  private static String text(String key) {
    Properties texts = new Properties();
    try (InputStream in = KnownBackends.class.getResourceAsStream(FILE)) {
      if (in == null) {
        throw new IllegalStateException("lock-api without its resource " + FILE);
      }
      Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8);
      texts.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String text = texts.getProperty(key);
    if (text == null) {
      throw new IllegalStateException(FILE + " has no " + key);
    }
    return text;
  }
}
