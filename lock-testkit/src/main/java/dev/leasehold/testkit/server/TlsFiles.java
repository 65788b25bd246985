package dev.leasehold.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A throwaway self-signed certificate for a TLS server on loopback, made by the JDK's {@code
 * keytool}, with the files that clients need to trust it. It names {@code localhost} and {@code
 * 127.0.0.1}, or another host on request, and is valid for a few days. The files are deleted when
 * the JVM ends. Immutable.
 */
public final class TlsFiles {
  private static final String ALIAS = "server";
  private static final String STORE = "leasehold";

  private final Path certificate;
  private final Path key;
  private final SSLContext clientContext;

  private TlsFiles(Path certificate, Path key, SSLContext clientContext) {
    this.certificate = certificate;
    this.key = key;
    this.clientContext = clientContext;
  }

  /** Creates a certificate; takes about a second. */
  public static TlsFiles create() {
    return create("dns:localhost,ip:127.0.0.1");
  }

  /** Creates a certificate for a host other than loopback, for clients that must reject it. */
  public static TlsFiles createFor(String host) {
    return create("dns:" + host);
  }

  private static TlsFiles create(String names) {
    Path folder = ResourceReaper.directory("tls");
    Path keys = folder.resolve("keys.p12");
    keytool(keys, names);
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(keys)) {
        store.load(in, STORE.toCharArray());
      }
      Key key = store.getKey(ALIAS, STORE.toCharArray());
      var certificate = store.getCertificate(ALIAS);
      Path certificateFile =
          pem(folder.resolve("certificate.pem"), "CERTIFICATE", certificate.getEncoded());
      Path keyFile = pem(folder.resolve("key.pem"), "PRIVATE KEY", key.getEncoded());
      KeyStore trust = KeyStore.getInstance("PKCS12");
      trust.load(null, null);
      trust.setCertificateEntry(ALIAS, certificate);
      return new TlsFiles(certificateFile, keyFile, clientContext(store, trust));
    } catch (IOException | GeneralSecurityException e) {
      throw new ServerException("No certificate could be made", e);
    }
  }

  /** The certificate as PEM; also the trusted authority for clients. */
  public Path certificate() {
    return certificate;
  }

  /** The server's private key as PEM. */
  public Path key() {
    return key;
  }

  /**
   * A client context that trusts only this certificate, and presents it to a server that asks for
   * one.
   */
  public SSLContext clientContext() {
    return clientContext;
  }

  private static SSLContext clientContext(KeyStore keys, KeyStore trust)
      throws GeneralSecurityException {
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, STORE.toCharArray());
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trust);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), managers.getTrustManagers(), null);
    return context;
  }

  private static Path pem(Path file, String what, byte[] bytes) throws IOException {
    Base64.Encoder encoder = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
    return Files.writeString(
        file,
        "-----BEGIN %s-----%n%s%n-----END %s-----%n"
            .formatted(what, encoder.encodeToString(bytes), what));
  }

  private static void keytool(Path keys, String names) {
    String tool = Path.of(System.getProperty("java.home", ""), "bin", "keytool").toString();
    List<String> command =
        List.of(
            tool,
            "-J-XX:TieredStopAtLevel=1",
            "-J-XX:+UseSerialGC",
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-dname",
            "CN=localhost",
            "-ext",
            "SAN=" + names,
            "-validity",
            "7",
            "-storetype",
            "PKCS12",
            "-keystore",
            keys.toString(),
            "-storepass",
            STORE);
    OsCommands.Result result = OsCommands.run(command);
    if (result.status() != 0) {
      throw new ServerException("keytool made no certificate: " + result.output().strip());
    }
  }
}
