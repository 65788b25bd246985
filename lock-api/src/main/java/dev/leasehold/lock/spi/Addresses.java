package dev.leasehold.lock.spi;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masks server addresses for messages, logs and events. All decisions about which parts of an
 * address are hidden are made here, and where one of several addresses ends. Stateless and
 * thread-safe.
 */
public final class Addresses {
  /** Replaces hidden text; its length reveals nothing. */
  private static final String MASK = "***";

  /** The scheme, if there is one, and everything up to the last @, which may be percent-encoded. */
  private static final Pattern LOGIN = Pattern.compile("(?si)^([a-z+-]+://)?.*(?:@|%40)");

  /** An option after a question mark, or anywhere if it is named like a credential. */
  private static final String OPTION =
      "(?:(?:\\?|%3f)[a-z][\\w.-]*"
          + "|[&;#/]\\s*(?:auth|credentials?|pass(?:word|wd|phrase)?|pwd|secret|token"
          + "|user(?:[-_]?name)?)\\s*)(?:=|%3d)";

  private static final Pattern OPTIONS = Pattern.compile("(?si)" + OPTION + ".*");

  /**
   * The scheme, and an option before an @: either a login that contains a {@code ?}, or a value
   * that contains an @.
   */
  private static final Pattern EITHER =
      Pattern.compile("(?si)^([a-z+-]+://)?.*" + OPTION + ".*(?:@|%40).*");

  private static final Pattern PLAIN_OPTION = Pattern.compile("(?i)\\?[a-z][\\w.-]*=");

  private static final Pattern QUERY = Pattern.compile("(?si)(?:\\?|%3f).*");

  /** A comma; none that stands in a password, since nothing like a URI comes after it. */
  private static final Pattern SEPARATOR = Pattern.compile(",(?=\\s*(?:,|$|[a-zA-Z+-]+://))");

  private static final Pattern SCHEME = Pattern.compile("(?i)^[a-z+-]+://");

  private static final String LOCAL = "redis-socket:///";

  private Addresses() {}

  /**
   * Masks user, password and options: {@code redis://***@host:6379} and {@code
   * redis://host:6379?***}. The visible part begins after the last {@code @}, since user and
   * password may contain one, and ends before the options. If an option precedes an {@code @},
   * either may be part of a password, so only the scheme is shown.
   */
  public static String masked(String address) {
    if (address.regionMatches(true, 0, LOCAL, 0, LOCAL.length())) {
      return address; // a path has no login, and may contain an @
    }
    Matcher either = EITHER.matcher(address);
    if (either.matches()) {
      return (either.group(1) == null ? "" : either.group(1)) + MASK;
    }
    String here = LOGIN.matcher(address).replaceFirst("$1" + MASK + "@");
    String place = OPTIONS.matcher(here).replaceFirst("?");
    return QUERY.matcher(place).replaceFirst("?" + MASK);
  }

  /** The address without login and options: {@code redis://host:6379}. */
  public static String place(String address) {
    return masked(address).replace(MASK + "@", "").replace("?" + MASK, "");
  }

  /** {@link #place} without its scheme: {@code host:6379}. */
  public static String host(String address) {
    return SCHEME.matcher(place(address)).replaceFirst("");
  }

  /** Several addresses that commas separate, each with its scheme; a password may have a comma. */
  public static List<String> several(String addresses) {
    return SEPARATOR.splitAsStream(addresses).map(String::strip).toList();
  }

  /**
   * Whether an address contains options, such as {@code ?password=}. The last {@code @} may then be
   * part of an option's value.
   */
  public static boolean hasOptions(String address) {
    return PLAIN_OPTION.matcher(address).find();
  }
}
