package dev.leasehold.redis.set;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.redis.common.RedisSettings.Encryption;
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
    String text = settings.get(RedisSettings.URI);
    List<RedisURI> uris;
    try {
      uris =
          settings.get(RedisSettings.CLUSTER)
              ? RedisClusterURIUtil.toRedisURIs(URI.create(text))
              : List.of(RedisURI.create(text));
    } catch (IllegalArgumentException e) {
      // Not e's message: it may quote the URI, and there may be a password in it.
      throw RedisSettings.wrongUri(settings, "");
    }
    uris.forEach(uri -> complete(uri, settings));
    return uris;
  }

  private static void complete(RedisURI uri, LockSettings settings) {
    settings.find(RedisSettings.DATABASE).ifPresent(uri::setDatabase);
    RedisSettings.check(
        settings, uri.isSsl() ? Encryption.TLS : Encryption.NONE, uri.getDatabase());
    Optional<String> username = settings.find(RedisSettings.USERNAME);
    Optional<String> password = settings.find(RedisSettings.PASSWORD);
    password.ifPresent(
        secret ->
            username.ifPresentOrElse(
                user -> uri.setAuthentication(user, secret), () -> uri.setAuthentication(secret)));
    settings.find(RedisSettings.CLIENT_NAME).ifPresent(uri::setClientName);
    if (settings.text(RedisSettings.TLS_VERIFY.key()).isPresent()) {
      String verify = settings.get(RedisSettings.TLS_VERIFY).toUpperCase(Locale.ROOT);
      uri.setVerifyPeer(SslVerifyMode.valueOf(verify));
    }
    Duration connect = settings.get(RedisSettings.CONNECT_TIMEOUT);
    if (uri.getTimeout().equals(RedisURI.DEFAULT_TIMEOUT_DURATION)) {
      uri.setTimeout(connect);
    }
  }

  /** What to trust, and who we are. */
  static SslOptions ssl(LockSettings settings) {
    SslOptions.Builder ssl = SslOptions.builder().jdkSslProvider();
    RedisSettings.file(settings, RedisSettings.TLS_TRUST).ifPresent(ssl::trustManager);
    Optional<File> key = RedisSettings.file(settings, RedisSettings.TLS_KEY);
    RedisSettings.file(settings, RedisSettings.TLS_CERTIFICATE)
        .ifPresent(file -> ssl.keyManager(file, key.orElseThrow(), new char[0]));
    return ssl.build();
  }
}
