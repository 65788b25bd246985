package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.redis.common.RedisSettings.Encryption;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.HostAndPort;

/**
 * Where Redis is, as the settings tell.
 *
 * @param hosts one server, the seeds of a cluster, or the Sentinels
 * @param primary what Sentinels call it, if they are asked
 * @param encryption TLS or none
 * @param login user, if one is named, and password
 * @param database 0 unless told otherwise
 */
record Endpoint(
    List<HostAndPort> hosts,
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

  /** Who logs in. */
  record Login(Optional<String> user, String password) {
    @Override
    public String toString() {
      return user.orElse("default");
    }
  }

  /**
   * What the settings tell.
   *
   * @throws dev.leasehold.lock.LockConfigurationException if it is wrong
   */
  static Endpoint of(LockSettings settings) {
    String text = settings.get(RedisSettings.URI).strip();
    if (text.startsWith("redis-socket:")) {
      throw RedisSettings.wrongUri(settings, "Jedis has no Unix sockets: redis-set has");
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
    List<HostAndPort> hosts = hosts(m.group("hosts"), sentinel ? SENTINEL_PORT : PORT, settings);
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
    return new Endpoint(
        hosts,
        Optional.ofNullable(m.group("primary")),
        encryption,
        login(settings, m.group("login")),
        database);
  }

  private static List<HostAndPort> hosts(String text, int port, LockSettings settings) {
    List<HostAndPort> hosts = new ArrayList<>();
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
          new HostAndPort(
              host.startsWith("[") ? host.substring(1, host.length() - 1) : host, number));
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
