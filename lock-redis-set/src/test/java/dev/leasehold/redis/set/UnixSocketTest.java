package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.testkit.server.ServerOptions;
import io.lettuce.core.resource.Transports.NativeTransports;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A Unix socket. Lettuce needs one of Netty's native transports for it, which a second run of the
 * tests has (see the pom) and the first has not.
 */
class UnixSocketTest {
  private static final LeaseKey A = new LeaseKey("x", "a:1");
  private static final LeaseKey B = new LeaseKey("x", "b:2");

  @Test
  void locksAndWakes() throws InterruptedException {
    if (System.getProperty("leasehold.transport", "").equals("native")
        && System.getProperty("os.name").equals("Linux")
        && System.getProperty("os.arch").equals("amd64")) {
      assertTrue(NativeTransports.isDomainSocketSupported(), "the second run brings one");
    }
    assumeTrue(
        NativeTransports.isDomainSocketSupported(), "not run: no native transport of Netty's here");
    ServerOptions options = ServerOptions.defaults().withUnixSocket();
    try (TestServer server = TestServer.start(ServerKind.EMBEDDED.required(), options);
        StoreOps store =
            StoreOps.open(Map.of("lock.redis.uri", "redis-socket://" + server.unixSocket()))) {
      CountDownLatch woken = new CountDownLatch(1);
      assertInstanceOf(Granted.class, store.acquire(A));
      assertEquals("a:1", server.admin().get("lh:{x}"));
      store.watch(B, woken::countDown);
      store.acquire(B, StoreOps.TTL, IfHeld.ENQUEUE);
      assertEquals(ReleaseResult.PASSED_ON, store.release(A));
      assertTrue(woken.await(5, TimeUnit.SECONDS));
    }
  }

  @Test
  void withoutATransportTheErrorSaysWhatIsMissing() {
    assumeFalse(NativeTransports.isDomainSocketSupported(), "not run: there is a transport");
    LockStoreException e =
        assertThrows(
            LockStoreException.class,
            () -> StoreOps.open(Map.of("lock.redis.uri", "redis-socket:///nowhere.sock")));
    String hint =
        " (it needs netty-transport-native-epoll, on macOS netty-transport-native-kqueue, with the"
            + " platform's classifier)";
    assertTrue(e.getMessage().endsWith(hint), e.getMessage());
  }
}
