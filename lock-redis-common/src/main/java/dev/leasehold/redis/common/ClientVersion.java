package dev.leasehold.redis.common;

import dev.leasehold.lock.LockConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version of a client library on the path. One that is too old is refused when a store is
 * opened; otherwise it would fail with a NoClassDefFoundError at some later call.
 */
public final class ClientVersion {
  private static final Pattern NUMBERS = Pattern.compile("(\\d{1,6})\\.(\\d{1,6}).*");

  private ClientVersion() {}

  /**
   * Refuses a version that is too old. An unknown or non-numeric one is accepted: repackaged jars
   * usually have none.
   *
   * @param client the library's name
   * @param found the version on the path
   * @param major the oldest supported major version
   * @param minor the oldest supported minor version of that
   * @throws LockConfigurationException naming the version found and the one needed
   */
  public static void check(String client, Optional<String> found, int major, int minor) {
    if (isKnown(found) && !isAtLeast(found, major, minor)) {
      throw new LockConfigurationException(
          "%s %s is on the path, and %d.%d or newer is needed"
              .formatted(client, withoutBuild(found.orElseThrow()), major, minor));
    }
  }

  /** Whether a version is known and at least this one. */
  public static boolean isAtLeast(Optional<String> found, int major, int minor) {
    Matcher m = NUMBERS.matcher(found.orElse(""));
    if (!m.matches()) {
      return false;
    }
    int isMajor = Integer.parseInt(m.group(1));
    return isMajor > major || (isMajor == major && Integer.parseInt(m.group(2)) >= minor);
  }

  private static boolean isKnown(Optional<String> found) {
    return NUMBERS.matcher(found.orElse("")).matches();
  }

  /** Lettuce appends the commit that it was built from, after a slash. */
  private static String withoutBuild(String version) {
    int slash = version.indexOf('/');
    return slash < 0 ? version : version.substring(0, slash);
  }

  /** The implementation version of a class's package, from the jar's manifest. */
  public static Optional<String> ofPackage(Class<?> type) {
    Package itsPackage = type.getPackage();
    return Optional.ofNullable(itsPackage == null ? null : itsPackage.getImplementationVersion());
  }

  /** The {@code version} in the {@code pom.properties} that Maven puts into a jar. */
  public static Optional<String> ofMaven(Class<?> type, String group, String artifact) {
    String file = "/META-INF/maven/" + group + "/" + artifact + "/pom.properties";
    try (InputStream in = type.getResourceAsStream(file)) {
      if (in == null) {
        return Optional.empty();
      }
      Properties properties = new Properties();
      properties.load(in);
      return Optional.ofNullable(properties.getProperty("version"));
    } catch (IOException | IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }
}
