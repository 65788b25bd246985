package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.redis.common.PemStores;
import dev.leasehold.redis.common.RedisSettings;
import java.io.ByteArrayInputStream;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/** TLS from PEM files, which Jedis does not read: it is given key stores in memory. */
final class Tls {
  private Tls() {}

  /**
   * Reads the settings.
   *
   * @throws LockConfigurationException naming the setting whose file is invalid
   */
  static SslOptions of(LockSettings settings) {
    SslOptions.Builder options =
        SslOptions.builder()
            .sslVerifyMode(
                switch (settings.get(RedisSettings.TLS_VERIFY)) {
                  case "full" -> SslVerifyMode.FULL;
                  case "ca" -> SslVerifyMode.CA;
                  default -> SslVerifyMode.INSECURE;
                });
    PemStores.trusted(settings)
        .map(PemStores::bytes)
        .ifPresent(
            store ->
                options
                    .trustStoreType(PemStores.TYPE)
                    .truststore(() -> new ByteArrayInputStream(store), PemStores.password()));
    PemStores.identity(settings)
        .map(PemStores::bytes)
        .ifPresent(
            store ->
                options
                    .keyStoreType(PemStores.TYPE)
                    .keystore(() -> new ByteArrayInputStream(store), PemStores.password()));
    return options.build();
  }
}
