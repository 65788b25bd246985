package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.redis.common.RedisSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/** TLS from PEM files, which Jedis does not read: it gets them as key stores in memory. */
final class Tls {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
  private static final List<String> KEY_TYPES = List.of("RSA", "EC", "EdDSA");
  private static final String STORE_TYPE = "PKCS12";

  /** Of a store that never leaves this process. */
  private static final String STORE_PASSWORD = "in memory";

  private Tls() {}

  /**
   * What the settings tell.
   *
   * @throws LockConfigurationException naming the setting whose file is no good
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
    try {
      Optional<String> trust = settings.find(RedisSettings.TLS_TRUST);
      if (trust.isPresent()) {
        byte[] store = trusting(certificates(RedisSettings.TLS_TRUST, trust.get()));
        options
            .trustStoreType(STORE_TYPE)
            .truststore(() -> new ByteArrayInputStream(store), STORE_PASSWORD.toCharArray());
      }
      Optional<String> certificate = settings.find(RedisSettings.TLS_CERTIFICATE);
      Optional<String> key = settings.find(RedisSettings.TLS_KEY);
      if (certificate.isPresent() && key.isPresent()) {
        byte[] store =
            identity(
                key(key.get()), certificates(RedisSettings.TLS_CERTIFICATE, certificate.get()));
        options
            .keyStoreType(STORE_TYPE)
            .keystore(() -> new ByteArrayInputStream(store), STORE_PASSWORD.toCharArray());
      }
      return options.build();
    } catch (GeneralSecurityException | IOException e) {
      throw new LockConfigurationException("TLS can't be set up: " + e.getMessage(), e);
    }
  }

  private static byte[] trusting(Collection<? extends Certificate> certificates)
      throws GeneralSecurityException, IOException {
    KeyStore store = empty();
    int count = 0;
    for (Certificate certificate : certificates) {
      store.setCertificateEntry("trusted-" + count++, certificate);
    }
    return bytes(store);
  }

  private static byte[] identity(PrivateKey key, Collection<? extends Certificate> chain)
      throws GeneralSecurityException, IOException {
    KeyStore store = empty();
    store.setKeyEntry(
        "client", key, STORE_PASSWORD.toCharArray(), chain.toArray(Certificate[]::new));
    return bytes(store);
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(STORE_TYPE);
    store.load(null, null);
    return store;
  }

  private static byte[] bytes(KeyStore store) throws GeneralSecurityException, IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    store.store(out, STORE_PASSWORD.toCharArray());
    return out.toByteArray();
  }

  private static Collection<? extends Certificate> certificates(
      Setting<String> setting, String path) throws GeneralSecurityException, IOException {
    try (InputStream in = Files.newInputStream(RedisSettings.file(setting, path).toPath())) {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (found.isEmpty()) {
        throw new LockConfigurationException(
            setting.key() + " = '" + path + "' has no certificate in it");
      }
      return found;
    }
  }

  private static PrivateKey key(String path) throws GeneralSecurityException, IOException {
    String text =
        Files.readString(
            RedisSettings.file(RedisSettings.TLS_KEY, path).toPath(), StandardCharsets.US_ASCII);
    Matcher m = KEY.matcher(text);
    if (!m.find()) {
      throw new LockConfigurationException(
          RedisSettings.TLS_KEY.key()
              + " = '"
              + path
              + "' has no PKCS 8 key in it: it begins with -----BEGIN PRIVATE KEY-----");
    }
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(m.group(1)));
    GeneralSecurityException last = new GeneralSecurityException("no type of key fits " + path);
    for (String type : KEY_TYPES) {
      try {
        return KeyFactory.getInstance(type).generatePrivate(spec);
      } catch (GeneralSecurityException e) {
        last = e;
      }
    }
    throw last;
  }
}
