package dev.leasehold.redis.common;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.Problems;
import dev.leasehold.lock.spi.Setting;
import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The settings below {@code lock.redis.}: where Redis is. They are the same for every backend on
 * it, so that replacing the backend's jar needs no other settings.
 */
public final class RedisSettings {

  /** Where Redis is. */
  public static final Setting<String> URI =
      Setting.text(
              "lock.redis.uri",
              "redis://127.0.0.1:6379",
              "Address of Redis, which may include user, password and database.")
          .typed(
              "redis://host:port, rediss://host:port (TLS), redis-socket:///path, or"
                  + " redis-sentinel://host:port,host:port#primary; for a cluster"
                  + " redis://host:port,host:port")
          .address();

  /** Whether it is a cluster. */
  public static final Setting<Boolean> CLUSTER =
      Setting.flag("lock.redis.cluster", false, "Whether the servers at the URI are a cluster.");

  /** The user to log in as. */
  public static final Setting<String> USERNAME =
      Setting.optionalText(
          "lock.redis.username", "User to log in as, instead of the one in the URI.");

  /** The password. */
  public static final Setting<String> PASSWORD =
      Setting.optionalText("lock.redis.password", "Password, instead of the one in the URI.")
          .secret();

  /** The database's number. */
  public static final Setting<Integer> DATABASE =
      Setting.optionalText("lock.redis.database", "Number of the database, instead of the URI's.")
          .typed("whole number from 0 to 10000")
          .map(RedisSettings::database);

  /** The connections' name. */
  public static final Setting<String> CLIENT_NAME =
      Setting.optionalText(
              "lock.redis.client-name",
              "The connections' name in the server's CLIENT LIST; by default lock.label.")
          .typed("text without spaces")
          .map(RedisSettings::clientName);

  /** How long connecting may take. */
  public static final Setting<Duration> CONNECT_TIMEOUT =
      Setting.duration(
          "lock.redis.connect-timeout",
          Duration.ofSeconds(2),
          Duration.ofMillis(1),
          Duration.ofMinutes(1),
          "How long connecting and logging in may take.");

  /** The certificates to trust. */
  public static final Setting<String> TLS_TRUST =
      Setting.optionalText(
          "lock.redis.tls.trust-file",
          "PEM file of the certificates to trust, instead of those of the JVM.");

  /** The client's certificate. */
  public static final Setting<String> TLS_CERTIFICATE =
      Setting.optionalText(
          "lock.redis.tls.certificate-file",
          "PEM file of the client's certificate, where the server wants one.");

  /** The certificate's private key. */
  public static final Setting<String> TLS_KEY =
      Setting.optionalText(
          "lock.redis.tls.key-file", "PEM file of the client's private key (PKCS 8).");

  /** What is verified of the server's certificate. */
  public static final Setting<String> TLS_VERIFY =
      Setting.choice(
          "lock.redis.tls.verify",
          "full",
          List.of("full", "ca", "none"),
          "What is checked of the server's certificate: issuer and host, issuer alone, or"
              + " nothing.");

  static final String PREFIX_TYPE = "1 to 64 characters of A-Z a-z 0-9 . _ : / -";

  /** The prefix of keys and channels. */
  public static final Setting<String> KEY_PREFIX =
      Setting.optionalText(
              "lock.redis.key-prefix",
              "Prefix of all keys and channels, so that applications can share a server: 'shop:'.")
          .typed(PREFIX_TYPE)
          .map(RedisSettings::keyPrefix);

  /** Whether a server that may evict keys is accepted. */
  public static final Setting<Boolean> ALLOW_EVICTION =
      Setting.flag(
          "lock.redis.allow-eviction",
          false,
          "Whether to accept a server that may evict keys, even those of locks that are held.");

  /** Whether locks are granted in the order of arrival. */
  public static final Setting<Boolean> FAIR =
      Setting.flag(
          "lock.redis.fair",
          false,
          "Whether locks are granted in the order of arrival, across processes.");

  /** The engine's setting; always set in a manager that is opened from settings. */
  private static final String LABEL = "lock.label";

  /** Settings that apply only with TLS. */
  private static final List<Setting<String>> TLS =
      List.of(TLS_TRUST, TLS_CERTIFICATE, TLS_KEY, TLS_VERIFY);

  private RedisSettings() {}

  /** All of them. */
  public static List<Setting<?>> all() {
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
        KEY_PREFIX,
        ALLOW_EVICTION,
        FAIR);
  }

  /**
   * All of them and a backend's own.
   *
   * @param own settings with keys below the backend's id
   */
  public static List<Setting<?>> and(Setting<?>... own) {
    return Stream.concat(all().stream(), Stream.of(own)).toList();
  }

  /**
   * The exception for a wrong URI, with other problems that do not depend on it. Without the URI's
   * password, and with the reason if it can be shown.
   */
  public static LockConfigurationException wrongUri(LockSettings settings, String why) {
    Problems problems = new Problems();
    problems.add(
        URI.key()
            + " = '"
            + URI.shown(settings.get(URI))
            + "' ("
            + settings.origin(URI.key())
            + ") is invalid; expected: "
            + URI.type()
            + (why.isEmpty() ? "" : " (" + why + ")"));
    checkPairsAndFiles(settings, problems);
    return problems.toException();
  }

  /**
   * Refuses settings that contradict one another, and files that can't be read.
   *
   * @param tls whether the URI asks for TLS
   * @param database the database given by the URI and the setting
   * @throws LockConfigurationException naming the keys, all problems at once
   */
  public static void check(LockSettings settings, Encryption tls, int database) {
    Problems problems = new Problems();
    for (Setting<String> setting : TLS) {
      // Without TLS the setting would have no effect, and give a false sense of security.
      if (tls == Encryption.NONE && settings.text(setting.key()).isPresent()) {
        problems.add(
            setting.key()
                + " ("
                + settings.origin(setting.key())
                + ") is set, but "
                + URI.key()
                + " does not ask for TLS: begin it with rediss://, or take the setting out");
      }
    }
    checkPairsAndFiles(settings, problems);
    if (settings.get(CLUSTER) && database != 0) {
      problems.add(
          (settings.text(DATABASE.key()).isPresent()
                  ? named(settings, DATABASE)
                  : "the database in " + URI.key() + " (" + settings.origin(URI.key()) + ")")
              + ": a cluster has database 0 alone");
    }
    problems.throwIfAny();
  }

  private static void checkPairsAndFiles(LockSettings settings, Problems problems) {
    checkPair(settings, USERNAME, PASSWORD, problems);
    checkPair(settings, TLS_CERTIFICATE, TLS_KEY, problems);
    checkPair(settings, TLS_KEY, TLS_CERTIFICATE, problems);
    problems.check(() -> PemStores.trusted(settings));
    problems.check(() -> PemStores.identity(settings));
    for (Setting<String> file : List.of(TLS_CERTIFICATE, TLS_KEY)) {
      problems.check(() -> file(settings, file));
    }
  }

  private static void checkPair(
      LockSettings settings, Setting<String> set, Setting<String> other, Problems problems) {
    if (settings.find(set).isPresent() && settings.find(other).isEmpty()) {
      problems.add(named(settings, set) + " needs " + other.key());
    }
  }

  /** The connections' name: its setting, or by default the label. */
  public static Optional<String> clientName(LockSettings settings) {
    return settings.find(CLIENT_NAME).or(() -> settings.text(LABEL));
  }

  /** A setting for messages: key, value if it may be shown, and origin. */
  public static String named(LockSettings settings, Setting<?> setting) {
    String key = setting.key();
    String value = setting.shown(settings.text(key).orElse(""));
    return key + " = '" + value + "' (" + settings.origin(key) + ")";
  }

  /** Whether connections are encrypted. */
  public enum Encryption {
    /** None. */
    NONE,
    /** TLS. */
    TLS
  }

  /**
   * The file that a setting names, if it is set.
   *
   * @throws LockConfigurationException if it can't be read
   */
  public static Optional<File> file(LockSettings settings, Setting<String> setting) {
    Optional<File> file = settings.find(setting).map(File::new);
    if (file.isPresent() && !file.get().canRead()) {
      throw new LockConfigurationException(
          named(settings, setting) + ": there is no such file to read");
    }
    return file;
  }

  /** A setting whose values are those of an enum, in lower case and with hyphens. */
  public static <E extends Enum<E>> Setting<E> choice(String key, E byDefault, String meaning) {
    Class<E> type = byDefault.getDeclaringClass();
    List<String> ids = Stream.of(type.getEnumConstants()).map(RedisSettings::id).toList();
    return Setting.choice(key, id(byDefault), ids, meaning)
        .map(text -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT).replace('-', '_')));
  }

  /** Such a setting's text for a value. */
  public static String id(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Makes what a node of a quorum needs, and refuses settings that such a node can't have.
   *
   * @throws LockConfigurationException with all problems at once
   */
  public static <T> T node(LockSettings settings, Problems problems, Supplier<T> made) {
    if (settings.get(CLUSTER)) {
      problems.add(
          named(settings, CLUSTER)
              + ": a node of a quorum is one server, whose restarts can be noticed");
    }
    Optional<T> node = problems.read(made);
    problems.throwIfAny();
    return node.orElseThrow();
  }

  private static Integer database(String text) {
    int number = Integer.parseInt(text.strip());
    if (number < 0 || number > 10_000) {
      throw new IllegalArgumentException("out of range");
    }
    return number;
  }

  private static String keyPrefix(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("leave it out for none");
    }
    return new KeySpace(text).prefix();
  }

  private static String clientName(String text) {
    if (text.isEmpty() || !text.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new IllegalArgumentException("Redis takes printable ASCII without spaces");
    }
    return text;
  }
}
