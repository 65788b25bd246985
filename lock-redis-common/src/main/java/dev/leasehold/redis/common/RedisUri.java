package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.spi.Addresses;
import dev.leasehold.redis.common.RedisEndpoint.Host;
import dev.leasehold.redis.common.RedisEndpoint.Login;
import dev.leasehold.redis.common.RedisSettings.Encryption;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses the text of {@code lock.redis.uri}.
 *
 * <p>User and password end at the last {@code @}, so that they may contain any other character
 * unescaped ({@code /}, {@code #}, {@code ?}, and {@code :} in the password); {@code %} begins an
 * escape. A {@code ?} that reads like an option ({@code ?name=}) must be escaped as {@code %3F}. No
 * exception's message contains a part of them.
 */
final class RedisUri {
  private static final Pattern SCHEME =
      Pattern.compile("(?s)(redis|rediss|redis-sentinel|rediss-sentinel|redis-socket)://(.*)");
  private static final Pattern PLACE =
      Pattern.compile(
          "(?<hosts>[^/#?]+)(?:/(?<database>[^#?]*))?(?:#(?<primary>[^/#?]+))?(?<query>\\?.*)?");
  private static final Pattern DATABASE = Pattern.compile("\\d{1,5}");
  private static final Pattern HOST =
      Pattern.compile("(?<host>\\[[0-9A-Fa-f:.%]+]|[^:\\[\\]%\\s]+)(?::(?<port>\\d{1,5}))?");
  private static final String OPTIONS_ARE_SETTINGS =
      "parameters after ? are not supported; there are settings for them: "
          + String.join(
              ", ",
              RedisSettings.USERNAME.key(),
              RedisSettings.PASSWORD.key(),
              RedisSettings.DATABASE.key(),
              RedisSettings.CLIENT_NAME.key(),
              RedisSettings.CONNECT_TIMEOUT.key())
          + "; write a ? in a password as %3F";
  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26379;
  private static final int MOST_PORT = 65_535;

  /** What a decoder replaces bytes by that are no UTF-8. */
  private static final char NO_UTF_8 = '\uFFFD';

  private RedisUri() {}

  /**
   * Parses the text.
   *
   * @throws IllegalArgumentException if it is wrong; the message has the reason, and may be empty
   */
  static RedisEndpoint parse(String text) {
    Matcher m = SCHEME.matcher(text.strip());
    if (!m.matches()) {
      throw new IllegalArgumentException("");
    }
    String scheme = m.group(1);
    String rest = m.group(2);
    boolean socket = scheme.equals("redis-socket");
    if (!socket && Addresses.hasOptions(rest)) {
      throw new IllegalArgumentException(OPTIONS_ARE_SETTINGS); // the last @ may be in an option
    }
    // The path of a socket may contain an @.
    int at = socket && rest.startsWith("/") ? -1 : rest.lastIndexOf('@');
    Optional<Login> login = at < 0 ? Optional.empty() : login(rest.substring(0, at));
    String place = rest.substring(at + 1);
    return socket ? socket(place, login) : servers(scheme, place, login);
  }

  private static RedisEndpoint socket(String path, Optional<Login> login) {
    if (!path.startsWith("/") || path.length() == 1) {
      throw new IllegalArgumentException("the path of a socket begins with /");
    }
    return new RedisEndpoint(
        List.of(), Optional.empty(), Optional.of(path), Encryption.NONE, login, 0);
  }

  private static RedisEndpoint servers(String scheme, String place, Optional<Login> login) {
    Matcher m = PLACE.matcher(place);
    if (!m.matches()) {
      throw new IllegalArgumentException("");
    }
    if (m.group("query") != null) {
      throw new IllegalArgumentException(OPTIONS_ARE_SETTINGS);
    }
    boolean sentinel = scheme.endsWith("-sentinel");
    if (sentinel != (m.group("primary") != null)) {
      throw new IllegalArgumentException(
          sentinel ? "the primary's name is missing" : "only Sentinels name a primary");
    }
    return new RedisEndpoint(
        hosts(m.group("hosts"), sentinel ? SENTINEL_PORT : PORT),
        Optional.ofNullable(m.group("primary")),
        Optional.empty(),
        scheme.startsWith("rediss") ? Encryption.TLS : Encryption.NONE,
        login,
        database(m.group("database")));
  }

  private static int database(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return 0;
    }
    if (!DATABASE.matcher(text).matches()) {
      throw new IllegalArgumentException("the database after the / is a number");
    }
    return Integer.parseInt(text);
  }

  private static List<Host> hosts(String text, int port) {
    List<Host> hosts = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher m = HOST.matcher(part.strip());
      if (!m.matches()) {
        throw new IllegalArgumentException("");
      }
      int number = m.group("port") == null ? port : Integer.parseInt(m.group("port"));
      if (number == 0 || number > MOST_PORT) {
        throw new IllegalArgumentException("a port is a number from 1 to 65535");
      }
      String host = m.group("host");
      hosts.add(
          new Host(host.startsWith("[") ? host.substring(1, host.length() - 1) : host, number));
    }
    return List.copyOf(hosts);
  }

  /** Parses "password", ":password" or "user:password". */
  private static Optional<Login> login(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    int colon = text.indexOf(':');
    Optional<String> user =
        colon <= 0 ? Optional.empty() : Optional.of(decoded(text.substring(0, colon)));
    return Optional.of(new Login(user, decoded(text.substring(colon + 1))));
  }

  /** Decodes escapes. A plus sign stands for itself in a URI; it means a blank only in forms. */
  private static String decoded(String part) {
    String text;
    try {
      text = URLDecoder.decode(part.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) { // without the cause, which quotes a part of it
      throw new IllegalArgumentException(
          "a % in user or password begins an escape: write the sign itself as %25");
    }
    if (text.indexOf(NO_UTF_8) >= 0) {
      throw new IllegalArgumentException("the escapes in user or password are no UTF-8");
    }
    return text;
  }
}
