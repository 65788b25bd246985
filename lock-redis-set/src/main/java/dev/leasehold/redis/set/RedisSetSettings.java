package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What the backend reads. Keys below {@code lock.redis.} tell where Redis is and mean the same for
 * every backend that has them, so that another jar needs no other settings.
 */
final class RedisSetSettings {
  static final String EVICTION_KEY = "lock.redis.allow-eviction";
  static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(2);
  static final Duration DEFAULT_WAIT_TIMEOUT = Duration.ofMillis(100);
  static final int MOST_REPLICAS = 100;

  static final Setting<String> URI =
      Setting.text(
              "lock.redis.uri",
              "redis://127.0.0.1:6379",
              "Where Redis is; user, password and database may stand in it.")
          .typed(
              "redis://host:port, rediss://host:port (TLS), redis-socket:///path, or"
                  + " redis-sentinel://host:port,host:port#primary; for a cluster"
                  + " redis://host:port,host:port");
  static final Setting<Boolean> CLUSTER =
      Setting.flag("lock.redis.cluster", false, "Whether the servers at the URI are a cluster.");
  static final Setting<String> USERNAME =
      Setting.optionalText("lock.redis.username", "User to log in as, rather than one in the URI.");
  static final Setting<String> PASSWORD =
      Setting.optionalText("lock.redis.password", "Password, rather than one in the URI.");
  static final Setting<Integer> DATABASE =
      Setting.optionalText("lock.redis.database", "Number of the database, rather than the URI's.")
          .typed("whole number from 0 to 10000")
          .map(RedisSetSettings::database);
  static final Setting<String> CLIENT_NAME =
      Setting.optionalText(
              "lock.redis.client-name", "The connections' name in the server's CLIENT LIST.")
          .typed("text without spaces")
          .map(RedisSetSettings::clientName);
  static final Setting<Duration> CONNECT_TIMEOUT =
      Setting.duration(
          "lock.redis.connect-timeout",
          DEFAULT_CONNECT_TIMEOUT,
          Duration.ofMillis(1),
          Duration.ofMinutes(1),
          "How long connecting and logging in may take.");
  static final Setting<String> TLS_TRUST =
      Setting.optionalText(
          "lock.redis.tls.trust-file",
          "PEM file of the certificates to trust, rather than those of the JVM.");
  static final Setting<String> TLS_CERTIFICATE =
      Setting.optionalText(
          "lock.redis.tls.certificate-file",
          "PEM file of the client's certificate, where the server wants one.");
  static final Setting<String> TLS_KEY =
      Setting.optionalText(
          "lock.redis.tls.key-file", "PEM file of the client's private key (PKCS 8).");
  static final Setting<String> TLS_VERIFY =
      Setting.choice(
          "lock.redis.tls.verify",
          "full",
          List.of("full", "ca", "none"),
          "What is checked of the server's certificate: issuer and host, issuer alone, or nothing.");
  static final Setting<Boolean> ALLOW_EVICTION =
      Setting.flag(
          EVICTION_KEY,
          false,
          "Whether to work on a server that may evict keys, and with them locks that are held.");
  static final Setting<RedisSetMode> MODE =
      Setting.choice(
              "lock.redis-set.mode",
              "fenced",
              List.of("fenced", "plain"),
              "With fencing and wake-ups, or plain keys shared with clients of other languages.")
          .map(text -> RedisSetMode.valueOf(text.toUpperCase(Locale.ROOT)));
  static final Setting<Integer> WAIT_REPLICAS =
      Setting.integer(
          "lock.redis-set.wait-replicas",
          0,
          0,
          MOST_REPLICAS,
          "How many replicas must have a lock or a renewal before it counts.");
  static final Setting<Duration> WAIT_TIMEOUT =
      Setting.duration(
          "lock.redis-set.wait-timeout",
          DEFAULT_WAIT_TIMEOUT,
          Duration.ofMillis(1),
          Duration.ofMinutes(1),
          "How long replicas have to acknowledge; less than lock.command-timeout.");

  /** Those that mean nothing without TLS. */
  static final List<Setting<String>> TLS = List.of(TLS_TRUST, TLS_CERTIFICATE, TLS_KEY, TLS_VERIFY);

  private RedisSetSettings() {}

  static List<Setting<?>> all() {
    return List.of(
        URI,
        CLUSTER,
        USERNAME,
        PASSWORD,
        DATABASE,
        CLIENT_NAME,
        CONNECT_TIMEOUT,
        TLS_TRUST,
        TLS_CERTIFICATE,
        TLS_KEY,
        TLS_VERIFY,
        ALLOW_EVICTION,
        MODE,
        WAIT_REPLICAS,
        WAIT_TIMEOUT);
  }

  private static Integer database(String text) {
    int number = Integer.parseInt(text.strip());
    if (number < 0 || number > 10_000) {
      throw new IllegalArgumentException("out of range");
    }
    return number;
  }

  private static String clientName(String text) {
    if (text.isEmpty() || !text.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new IllegalArgumentException("Redis takes printable ASCII without spaces");
    }
    return text;
  }
}
