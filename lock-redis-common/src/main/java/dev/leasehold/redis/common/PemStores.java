package dev.leasehold.redis.common;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.spi.Setting;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** The PEM files of the settings as key stores in memory, for clients that can't read PEM. */
public final class PemStores {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
  private static final Pattern CERTIFICATE =
      Pattern.compile("-----BEGIN (X509 |)CERTIFICATE-----[^-]+-----END (X509 |)CERTIFICATE-----");
  private static final List<String> KEY_TYPES = List.of("RSA", "EC", "EdDSA");

  /** The type for {@link KeyStore#getInstance(String)}. */
  public static final String TYPE = "PKCS12";

  /** No secret: the stores never leave this process. */
  private static final String PASSWORD = "in memory";

  private PemStores() {}

  /** The stores' password. */
  public static char[] password() {
    return PASSWORD.toCharArray();
  }

  /**
   * The trusted certificates, if {@link RedisSettings#TLS_TRUST} is set.
   *
   * @throws LockConfigurationException if the file is invalid
   */
  public static Optional<KeyStore> trusted(LockSettings settings) {
    return RedisSettings.file(settings, RedisSettings.TLS_TRUST)
        .map(file -> made(() -> store(certificates(settings, RedisSettings.TLS_TRUST, file))));
  }

  /**
   * The client's certificate and key, if {@link RedisSettings#TLS_CERTIFICATE} and {@link
   * RedisSettings#TLS_KEY} are set.
   *
   * @throws LockConfigurationException naming the setting whose file is invalid
   */
  public static Optional<KeyStore> identity(LockSettings settings) {
    Setting<String> setting = RedisSettings.TLS_CERTIFICATE;
    Optional<File> certificate = RedisSettings.file(settings, setting);
    Optional<File> key = RedisSettings.file(settings, RedisSettings.TLS_KEY);
    return certificate
        .filter(file -> key.isPresent())
        .map(
            file ->
                made(
                    () ->
                        identity(
                            settings,
                            key(settings, key.orElseThrow()),
                            certificates(settings, setting, file))));
  }

  /** A store as the bytes of a file, for clients that read one. */
  public static byte[] bytes(KeyStore store) {
    return made(
        () -> {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          store.store(out, password());
          return out.toByteArray();
        });
  }

  /** What trusts the certificates of {@link #trusted}. */
  public static TrustManagerFactory trusting(KeyStore store) {
    return made(
        () -> {
          TrustManagerFactory factory =
              TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
          factory.init(store);
          return factory;
        });
  }

  /** What identifies the client by {@link #identity}. */
  public static KeyManagerFactory identifying(KeyStore store) {
    return made(
        () -> {
          KeyManagerFactory factory =
              KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
          factory.init(store, password());
          return factory;
        });
  }

  private interface Making<T> {
    T make() throws GeneralSecurityException, IOException;
  }

  private static <T> T made(Making<T> making) {
    try {
      return making.make();
    } catch (GeneralSecurityException | IOException e) {
      throw new LockConfigurationException("TLS can't be set up: " + e.getMessage(), e);
    }
  }

  private static KeyStore store(Collection<? extends Certificate> certificates)
      throws GeneralSecurityException, IOException {
    KeyStore store = empty();
    int count = 0;
    for (Certificate certificate : certificates) {
      store.setCertificateEntry("trusted-" + count++, certificate);
    }
    return store;
  }

  private static KeyStore identity(
      LockSettings settings, PrivateKey key, Collection<? extends Certificate> chain)
      throws GeneralSecurityException, IOException {
    if (!isPair(key, chain.iterator().next().getPublicKey())) {
      throw new LockConfigurationException(
          RedisSettings.named(settings, RedisSettings.TLS_KEY)
              + " is not the key of "
              + RedisSettings.TLS_CERTIFICATE.key());
    }
    KeyStore store = empty();
    store.setKeyEntry("client", key, password(), chain.toArray(Certificate[]::new));
    return store;
  }

  /** Whether one verifies what the other has signed. */
  private static boolean isPair(PrivateKey key, PublicKey other) throws GeneralSecurityException {
    String type = key.getAlgorithm();
    Signature signature =
        Signature.getInstance(
            switch (type) {
              case "RSA" -> "SHA256withRSA";
              case "EC" -> "SHA256withECDSA";
              default -> type;
            });
    signature.initSign(key);
    byte[] signed = signature.sign();
    try {
      signature.initVerify(other);
      return signature.verify(signed);
    } catch (InvalidKeyException | SignatureException e) { // of another type, or another length
      return false;
    }
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(TYPE);
    store.load(null, null);
    return store;
  }

  private static Collection<? extends Certificate> certificates(
      LockSettings settings, Setting<String> setting, File file)
      throws GeneralSecurityException, IOException {
    String none = RedisSettings.named(settings, setting) + " has no certificate in it";
    try {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(certificatesOf(file)));
      if (found.isEmpty()) {
        throw new LockConfigurationException(none);
      }
      return found;
    } catch (CertificateException e) {
      throw new LockConfigurationException(none, e);
    }
  }

  /** A file's PEM certificates, without what is beside them, as a key; or all of it, as of DER. */
  private static byte[] certificatesOf(File file) throws IOException {
    byte[] all = Files.readAllBytes(file.toPath());
    String pem =
        CERTIFICATE
            .matcher(new String(all, StandardCharsets.US_ASCII))
            .results()
            .map(MatchResult::group)
            .collect(Collectors.joining("\n"));
    return pem.isEmpty() ? all : pem.getBytes(StandardCharsets.US_ASCII);
  }

  private static PrivateKey key(LockSettings settings, File file) throws IOException {
    String text = Files.readString(file.toPath(), StandardCharsets.US_ASCII);
    Matcher m = KEY.matcher(text);
    if (!m.find()) {
      throw new LockConfigurationException(
          RedisSettings.named(settings, RedisSettings.TLS_KEY)
              + " has no PKCS 8 key in it: it begins with -----BEGIN PRIVATE KEY-----");
    }
    try {
      byte[] encoded = Base64.getMimeDecoder().decode(m.group(1));
      return key(new PKCS8EncodedKeySpec(encoded));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new LockConfigurationException(
          RedisSettings.named(settings, RedisSettings.TLS_KEY)
              + " has no complete key of a known type: "
              + String.join(", ", KEY_TYPES),
          e);
    }
  }

  private static PrivateKey key(PKCS8EncodedKeySpec spec) throws GeneralSecurityException {
    GeneralSecurityException last = new GeneralSecurityException("no type of key fits");
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
