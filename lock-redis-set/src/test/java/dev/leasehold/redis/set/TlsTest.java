package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.testkit.server.Ports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS, with the server's certificate checked, and a client's certificate where it wants one. */
class TlsTest {
  private static final LeaseKey A = new LeaseKey("x", "a:1");
  private static final LeaseKey B = new LeaseKey("x", "b:2");
  @TempDir private static Path folder;
  private static TestServer server;
  private static TestServer strict;
  private static PemPair pair;
  private static PemPair stranger;
  private static int tlsPort;
  private static int strictPort;

  @BeforeAll
  static void start() throws Exception {
    pair = PemPair.create(folder, "server", "ip:127.0.0.1");
    stranger = PemPair.create(folder, "stranger", "dns:elsewhere.example");
    tlsPort = Ports.free();
    strictPort = Ports.free();
    server = tlsServer(tlsPort, "no");
    strict = tlsServer(strictPort, "yes");
  }

  private static TestServer tlsServer(int port, String clients) {
    return ServerKind.EMBEDDED.start(
        "--tls-port", Integer.toString(port),
        "--tls-cert-file", pair.certificate().toString(),
        "--tls-key-file", pair.key().toString(),
        "--tls-ca-cert-file", pair.certificate().toString(),
        "--tls-auth-clients", clients);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
    if (strict != null) {
      strict.close();
    }
  }

  private static Map<String, String> settings(int port, Path trusted) {
    Map<String, String> settings = new HashMap<>();
    settings.put("lock.redis.uri", "rediss://127.0.0.1:" + port);
    settings.put("lock.redis.tls.trust-file", trusted.toString());
    return settings;
  }

  @Test
  void locksAndWakesOverTls() throws InterruptedException {
    try (StoreOps store = StoreOps.open(settings(tlsPort, pair.certificate()))) {
      CountDownLatch woken = new CountDownLatch(1);
      assertInstanceOf(Granted.class, store.acquire(A));
      store.watch(B, woken::countDown);
      store.acquire(B, StoreOps.TTL, IfHeld.ENQUEUE);
      assertEquals(ReleaseResult.PASSED_ON, store.release(A));
      assertTrue(woken.await(5, TimeUnit.SECONDS));
    }
  }

  @Test
  void aCertificateThatIsNotTrustedIsRefused() {
    Map<String, String> settings = settings(tlsPort, stranger.certificate());
    LockStoreException e = assertThrows(LockStoreException.class, () -> StoreOps.open(settings));
    assertEquals(Kind.UNREACHABLE, e.kind());
    assertTrue(e.getMessage().contains("PKIX"), e.getMessage());
    settings.put("lock.redis.tls.verify", "none");
    StoreOps.open(settings).close();
  }

  @Test
  void aCertificateOfAnotherHostIsRefusedUnlessOnlyTheIssuerIsChecked() throws Exception {
    int port = Ports.free();
    try (TestServer elsewhere =
        ServerKind.EMBEDDED.start(
            "--tls-port", Integer.toString(port),
            "--tls-cert-file", stranger.certificate().toString(),
            "--tls-key-file", stranger.key().toString(),
            "--tls-ca-cert-file", stranger.certificate().toString(),
            "--tls-auth-clients", "no")) {
      Map<String, String> settings = settings(port, stranger.certificate());
      assertThrows(LockStoreException.class, () -> StoreOps.open(settings));
      settings.put("lock.redis.tls.verify", "ca");
      StoreOps.open(settings).close();
      assertTrue(elsewhere.port() != port);
    }
  }

  @Test
  void aServerThatWantsACertificateGetsOne() {
    Map<String, String> settings = settings(strictPort, pair.certificate());
    assertThrows(LockStoreException.class, () -> StoreOps.open(settings));
    settings.put("lock.redis.tls.certificate-file", pair.certificate().toString());
    settings.put("lock.redis.tls.key-file", pair.key().toString());
    try (StoreOps store = StoreOps.open(settings)) {
      assertInstanceOf(Granted.class, store.acquire(A));
    }
  }

  @Test
  void aFileMayHaveTheKeyBesideTheCertificate() throws Exception {
    String both = Files.readString(pair.key()) + Files.readString(pair.certificate());
    String file = Files.writeString(folder.resolve("both.pem"), both).toString();
    Map<String, String> settings = settings(strictPort, pair.certificate());
    settings.put("lock.redis.tls.certificate-file", file);
    settings.put("lock.redis.tls.key-file", file);
    StoreOps.open(settings).close();
    settings.put("lock.redis.tls.trust-file", file);
    StoreOps.open(settings).close();
  }

  @Test
  void aFileThatIsMissingIsNamed() {
    LockConfigurationException e =
        assertThrows(
            LockConfigurationException.class,
            () -> StoreOps.open(settings(tlsPort, Path.of("no-such-file.pem"))));
    assertTrue(
        e.getMessage().contains("lock.redis.tls.trust-file = 'no-such-file.pem'"), e.getMessage());
  }
}
