package dev.leasehold.redis.set;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.Setting;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import java.io.File;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Where Redis is, as the settings tell. */
final class Endpoint {
  private Endpoint() {}

  /**
   * The URI with what other settings add to it; for a cluster one for each host.
   *
   * @throws LockConfigurationException if it is none
   */
  static List<RedisURI> uris(LockSettings settings) {
    String text = settings.get(RedisSetSettings.URI);
    List<RedisURI> uris;
    try {
      uris =
          settings.get(RedisSetSettings.CLUSTER)
              ? RedisClusterURIUtil.toRedisURIs(URI.create(text))
              : List.of(RedisURI.create(text));
    } catch (IllegalArgumentException e) {
      // Not e's message: it may quote the URI, and there may be a password in it.
      throw new LockConfigurationException(
          RedisSetSettings.URI.key()
              + " = '"
              + text.replaceFirst("//[^/]*@", "//***@")
              + "' ("
              + settings.origin(RedisSetSettings.URI.key())
              + ") is wrong: allowed is "
              + RedisSetSettings.URI.type());
    }
    uris.forEach(uri -> complete(uri, settings));
    return uris;
  }

  private static void complete(RedisURI uri, LockSettings settings) {
    checkTls(uri, settings);
    Optional<String> username = settings.find(RedisSetSettings.USERNAME);
    Optional<String> password = settings.find(RedisSetSettings.PASSWORD);
    if (username.isPresent() && password.isEmpty()) {
      throw new LockConfigurationException(
          RedisSetSettings.USERNAME.key()
              + " = '"
              + username.get()
              + "' needs "
              + RedisSetSettings.PASSWORD.key());
    }
    password.ifPresent(
        secret ->
            username.ifPresentOrElse(
                user -> uri.setAuthentication(user, secret), () -> uri.setAuthentication(secret)));
    settings.find(RedisSetSettings.DATABASE).ifPresent(uri::setDatabase);
    if (settings.get(RedisSetSettings.CLUSTER) && uri.getDatabase() != 0) {
      throw new LockConfigurationException(
          RedisSetSettings.DATABASE.key()
              + " = "
              + uri.getDatabase()
              + ": a cluster has database 0 alone");
    }
    settings.find(RedisSetSettings.CLIENT_NAME).ifPresent(uri::setClientName);
    if (settings.text(RedisSetSettings.TLS_VERIFY.key()).isPresent()) {
      String verify = settings.get(RedisSetSettings.TLS_VERIFY).toUpperCase(Locale.ROOT);
      uri.setVerifyPeer(SslVerifyMode.valueOf(verify));
    }
    Duration connect = settings.get(RedisSetSettings.CONNECT_TIMEOUT);
    if (uri.getTimeout().equals(RedisURI.DEFAULT_TIMEOUT_DURATION)) {
      uri.setTimeout(connect);
    }
  }

  /** A setting of TLS on a connection without would promise what is not there. */
  private static void checkTls(RedisURI uri, LockSettings settings) {
    for (Setting<String> setting : RedisSetSettings.TLS) {
      if (!uri.isSsl() && settings.text(setting.key()).isPresent()) {
        throw new LockConfigurationException(
            setting.key()
                + " ("
                + settings.origin(setting.key())
                + ") is set, but "
                + RedisSetSettings.URI.key()
                + " does not ask for TLS: begin it with rediss://, or take the setting out");
      }
    }
  }

  /** What to trust, and who we are. */
  static SslOptions ssl(LockSettings settings) {
    SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider();
    settings
        .find(RedisSetSettings.TLS_TRUST)
        .ifPresent(file -> ssl.trustManager(file(RedisSetSettings.TLS_TRUST.key(), file)));
    Optional<String> certificate = settings.find(RedisSetSettings.TLS_CERTIFICATE);
    Optional<String> key = settings.find(RedisSetSettings.TLS_KEY);
    if (certificate.isPresent() != key.isPresent()) {
      throw new LockConfigurationException(
          RedisSetSettings.TLS_CERTIFICATE.key()
              + " and "
              + RedisSetSettings.TLS_KEY.key()
              + " go together, and one is missing");
    }
    certificate.ifPresent(
        file ->
            ssl.keyManager(
                file(RedisSetSettings.TLS_CERTIFICATE.key(), file),
                file(RedisSetSettings.TLS_KEY.key(), key.orElseThrow()),
                new char[0]));
    return ssl.build();
  }

  private static File file(String key, String path) {
    File file = new File(path);
    if (!file.canRead()) {
      throw new LockConfigurationException(
          key + " = '" + path + "': there is no such file to read");
    }
    return file;
  }
}
