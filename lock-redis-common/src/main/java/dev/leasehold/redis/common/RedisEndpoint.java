package dev.leasehold.redis.common;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.redis.common.RedisSettings.Encryption;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where Redis is, as the settings tell, for clients that do not read such a URI themselves.
 *
 * @param hosts one server, the seeds of a cluster, or the Sentinels
 * @param primary what Sentinels call it, if they are asked
 * @param encryption TLS or none
 * @param login user, if one is named, and password
 * @param database 0 unless told otherwise
 */
public record RedisEndpoint(
    List<Host> hosts,
    Optional<String> primary,
    Encryption encryption,
    Optional<Login> login,
    int database) {
  private static final Pattern URI =
      Pattern.compile(
          "(?<scheme>rediss?(?:-sentinel)?)://(?:(?<login>[^@/]*)@)?(?<hosts>[^/#?@]+)"
              + "(?:/(?<database>\\d{1,5})?)?(?:#(?<primary>.+))?");
  private static final Pattern HOST =
      Pattern.compile("(?<host>\\[[0-9A-Fa-f:.%]+]|[^:\\[\\]]+)(?::(?<port>\\d{1,5}))?");
  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26379;
  private static final int MOST_PORT = 65_535;

  /**
   * A server.
   *
   * @param name its name or address; IPv6 without brackets
   * @param port its port
   */
  public record Host(String name, int port) {
    @Override
    public String toString() {
      return (name.indexOf(':') < 0 ? name : "[" + name + "]") + ":" + port;
    }
  }

  /**
   * Who logs in.
   *
   * @param user empty for the default user
   * @param password the password
   */
  public record Login(Optional<String> user, String password) {
    @Override
    public String toString() {
      return user.orElse("default");
    }
  }

  /**
   * What the settings tell.
   *
   * @param noSockets why Unix sockets won't do
   * @throws dev.leasehold.lock.LockConfigurationException if it is wrong
   */
  public static RedisEndpoint of(LockSettings settings, String noSockets) {
    String text = settings.get(RedisSettings.URI).strip();
    if (text.startsWith("redis-socket:")) {
      throw RedisSettings.wrongUri(settings, noSockets);
    }
    Matcher m = URI.matcher(text);
    if (!m.matches()) {
      throw RedisSettings.wrongUri(settings, "");
    }
    boolean sentinel = m.group("scheme").endsWith("-sentinel");
    if (sentinel != (m.group("primary") != null)) {
      throw RedisSettings.wrongUri(
          settings, sentinel ? "the primary's name is missing" : "only Sentinels name a primary");
    }
    List<Host> hosts = hosts(m.group("hosts"), sentinel ? SENTINEL_PORT : PORT, settings);
    if (hosts.size() > 1 && !sentinel && !settings.get(RedisSettings.CLUSTER)) {
      throw RedisSettings.wrongUri(
          settings, "several hosts need " + RedisSettings.CLUSTER.key() + " = true");
    }
    if (sentinel && settings.get(RedisSettings.CLUSTER)) {
      throw RedisSettings.wrongUri(
          settings, RedisSettings.CLUSTER.key() + " = true, but a cluster has no Sentinels");
    }
    Encryption encryption =
        m.group("scheme").startsWith("rediss") ? Encryption.TLS : Encryption.NONE;
    String inUri = m.group("database");
    int database =
        settings.find(RedisSettings.DATABASE).orElse(inUri == null ? 0 : Integer.parseInt(inUri));
    RedisSettings.check(settings, encryption, database);
    return new RedisEndpoint(
        hosts,
        Optional.ofNullable(m.group("primary")),
        encryption,
        login(settings, m.group("login")),
        database);
  }

  private static List<Host> hosts(String text, int port, LockSettings settings) {
    List<Host> hosts = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher m = HOST.matcher(part.strip());
      if (!m.matches()) {
        throw RedisSettings.wrongUri(settings, "");
      }
      int number = m.group("port") == null ? port : Integer.parseInt(m.group("port"));
      if (number == 0 || number > MOST_PORT) {
        throw RedisSettings.wrongUri(settings, "a port is a number from 1 to 65535");
      }
      String host = m.group("host");
      hosts.add(
          new Host(host.startsWith("[") ? host.substring(1, host.length() - 1) : host, number));
    }
    return hosts;
  }

  private static Optional<Login> login(LockSettings settings, String inUri) {
    Optional<String> password = settings.find(RedisSettings.PASSWORD);
    if (password.isPresent()) {
      return Optional.of(new Login(settings.find(RedisSettings.USERNAME), password.get()));
    }
    if (inUri == null || inUri.isEmpty()) {
      return Optional.empty();
    }
    // "password", ":password" or "user:password"
    int colon = inUri.indexOf(':');
    Optional<String> user =
        colon <= 0 ? Optional.empty() : Optional.of(decoded(inUri.substring(0, colon)));
    return Optional.of(new Login(user, decoded(inUri.substring(colon + 1))));
  }

  private static String decoded(String part) {
    // A plus sign is itself in a URI; only forms mean a blank by it.
    return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }
}
