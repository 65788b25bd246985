package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MultiLockStore.Answer;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.Await;
import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Releases by the server's own compare-and-delete, and the marks by which waiters prevent them. The
 * marks are the same on every server; a server without such a command is never sent one.
 */
@ParameterizedClass
@EnumSource(ServerKind.class)
class NativeReleaseTest {
  private static final LeaseKey A = new LeaseKey("x", "a:1.");
  private static final LeaseKey B = new LeaseKey("x", "b:2.");
  private static final LeaseKey C = new LeaseKey("x", "c:3.");

  private final ServerKind kind;
  private TestServer server;
  private StoreOps store;
  private StoreOps other;

  NativeReleaseTest(ServerKind kind) {
    this.kind = kind;
  }

  @BeforeEach
  void start() {
    server = kind.start();
    store = StoreOps.open(Map.of("lock.redis.uri", server.uri()));
    other = StoreOps.open(Map.of("lock.redis.uri", server.uri()));
  }

  @AfterEach
  void stop() {
    if (server != null) {
      store.close();
      other.close();
      server.close();
    }
  }

  private String value() {
    return server.admin().get("lh:{x}");
  }

  private long calls(String command) {
    Matcher m =
        Pattern.compile("cmdstat_" + command + ":calls=(\\d+)")
            .matcher(server.admin().info("commandstats"));
    return m.find() ? Long.parseLong(m.group(1)) : 0;
  }

  private long errors() {
    Matcher m = Pattern.compile("total_error_replies:(\\d+)").matcher(server.admin().info("stats"));
    assertTrue(m.find());
    return Long.parseLong(m.group(1));
  }

  private Held waits(LeaseKey key) {
    return assertInstanceOf(Held.class, other.acquire(key, StoreOps.TTL, IfHeld.ENQUEUE));
  }

  @Nested
  class Marks {
    @Test
    void aWaiterMarksTheValueAndTheHolderKeepsItsLease() {
      Granted granted = assertInstanceOf(Granted.class, store.acquire(A));
      waits(B);
      assertEquals("a:1.!", value());
      waits(C);
      assertEquals("a:1.!", value());
      assertEquals(granted.fence(), assertInstanceOf(Granted.class, store.acquire(A)).fence());
      assertEquals(RenewResult.RENEWED, store.renew(A, Duration.ofMinutes(1)));
      assertEquals("a:1.!", value());
      assertEquals("a:1.", other.inspect("x").orElseThrow().token());
      assertEquals(ReleaseResult.NOT_OWNER, other.release(B));
      assertEquals(RenewResult.NOT_OWNER, other.renew(new LeaseKey("x", "a:1.!"), StoreOps.TTL));
      assertEquals(ReleaseResult.RELEASED, store.release(A));
    }

    @Test
    void aRefusalWithoutAPlaceMarksNothing() {
      store.acquire(A);
      assertInstanceOf(Held.class, other.acquire(B));
      assertEquals("a:1.", value());
    }

    @Test
    void theTimeToLiveStays() {
      store.acquire(A);
      server.admin().pexpire("lh:{x}", 5000);
      waits(B);
      long left = server.admin().pttl("lh:{x}");
      assertTrue(left > 4000 && left <= 5000, "" + left);
    }

    @Test
    void valuesOfOtherVersionsAndClientsAreNotMarked() {
      for (String value : new String[] {"a:1", "somebody", "+a:1.", "-a:1."}) {
        server.admin().set("lh:{x}", value, SetArgs.Builder.px(10_000));
        waits(B);
        assertEquals(value, value());
      }
    }

    @Test
    void aFreeLockIsGrantedMarkedIfOthersWait() {
      store.acquire(A);
      waits(B);
      server.admin().del("lh:{x}");
      assertInstanceOf(Granted.class, store.acquire(C));
      assertEquals("c:3.!", value());
    }

    @Test
    void theLastWaiterIsGrantedUnmarked() {
      store.acquire(A);
      Watch watch = other.watch(B, () -> {});
      waits(B);
      waits(C);
      assertEquals(ReleaseResult.PASSED_ON, store.release(A));
      assertInstanceOf(Granted.class, other.acquire(B, StoreOps.TTL, IfHeld.ENQUEUE));
      assertEquals("b:2.!", value(), "C waits");
      assertEquals(ReleaseResult.PASSED_ON, other.release(B));
      assertInstanceOf(Granted.class, other.acquire(C, StoreOps.TTL, IfHeld.ENQUEUE));
      assertEquals("c:3.", value());
      watch.close();
    }

    @Test
    void severalLocksAtOnceAreGrantedMarked() {
      LeaseKey y = new LeaseKey("y", "a:1.");
      assertInstanceOf(Answer.Granted.class, store.acquireAll(StoreOps.TTL, List.of(A, y)));
      assertEquals("a:1.!", value());
      assertEquals(ReleaseResult.RELEASED, store.release(A));
      assertEquals(ReleaseResult.RELEASED, store.release(y));
    }
  }

  @Nested
  class Releases {
    private LeaseKey prepared(String token) {
      return store.store().prepared(new LeaseKey("x", token));
    }

    /** A first lease, by which the store learns what the server has. */
    private String learned() {
      assumeTrue(
          kind.compareAndDelete().isPresent(), () -> "not run: " + kind + " has no such command");
      LeaseKey first = new LeaseKey("first", "a:0");
      store.acquire(first);
      store.release(first);
      Await.until("it is known", () -> prepared("a:1").equals(A));
      server.admin().configResetstat();
      return kind.compareAndDelete().orElseThrow();
    }

    @Test
    void aServerWithoutIsNeverSentOne() {
      assumeTrue(kind.compareAndDelete().isEmpty(), () -> "not run: " + kind + " has one");
      store.acquire(new LeaseKey("first", "a:0"));
      store.release(new LeaseKey("first", "a:0")); // the script is loaded
      Await.until("it has asked", () -> calls("command.info") + calls("command") > 0);
      store.inspect("x"); // answered later
      assertEquals(new LeaseKey("x", "a:1"), prepared("a:1"));
      store.acquire(A);
      long errors = errors();
      assertEquals(ReleaseResult.RELEASED, store.release(A));
      assertEquals(errors, errors(), "one was sent that the server does not know");
    }

    @Test
    void anUncontendedReleaseIsTheCommandAlone() {
      String command = learned();
      for (int i = 1; i <= 3; i++) {
        store.acquire(A);
        assertEquals(ReleaseResult.RELEASED, store.release(A));
        assertEquals(i, calls(command));
        assertEquals(0, server.admin().exists("lh:{x}"));
      }
      assertEquals(3, calls("evalsha"));
      assertEquals(ReleaseResult.NOT_OWNER, store.release(A), "the script has the last word");
      assertEquals(4, calls(command));
    }

    @Test
    void aTokenThatCanNotBeMarkedIsReleasedByTheScript() {
      String command = learned();
      LeaseKey old = new LeaseKey("x", "a:1");
      store.acquire(old);
      assertEquals(ReleaseResult.RELEASED, store.release(old));
      assertEquals(0, calls(command));
    }

    @Test
    void aMarkedOneIsPassedOnByTheScriptWhichIsUsedAtOnceTheNextTime() {
      String command = learned();
      AtomicInteger woken = new AtomicInteger();
      Watch watch = other.watch(B, woken::incrementAndGet);
      store.acquire(A);
      waits(B);
      assertEquals(ReleaseResult.PASSED_ON, store.release(A));
      assertEquals(1, calls(command));
      Await.until("B is woken", () -> woken.get() > 0);
      other.acquire(B);
      other.release(B);
      server.admin().configResetstat();
      store.acquire(A);
      assertEquals(ReleaseResult.RELEASED, store.release(A));
      assertEquals(0, calls(command), "others may wait again");
      store.acquire(A);
      assertEquals(ReleaseResult.RELEASED, store.release(A));
      assertEquals(1, calls(command), "none did");
      watch.close();
    }

    @Test
    void anotherErrorIsTheScriptsAndDoesNotEndNativeReleases() {
      String command = learned();
      server.admin().lpush("lh:{x}", "no lock");
      LockStoreException e = assertThrows(LockStoreException.class, () -> store.release(A));
      assertTrue(e.getMessage().contains("WRONGTYPE"), e.getMessage());
      server.admin().del("lh:{x}");
      store.acquire(A);
      assertEquals(ReleaseResult.RELEASED, store.release(A));
      assertEquals(2, calls(command));
    }

    @Test
    void aUserWithoutTheRightToItReleasesByTheScript() {
      String command = learned();
      store.acquire(A);
      server.call("ACL", "SETUSER", "default", "-" + command);
      assertEquals(ReleaseResult.RELEASED, store.release(A));
      assertEquals(new LeaseKey("x", "b:2"), prepared("b:2"));
      store.acquire(A);
      assertEquals(ReleaseResult.RELEASED, store.release(A));
      Matcher rejected =
          Pattern.compile("cmdstat_" + command + ":.*rejected_calls=(\\d+)")
              .matcher(server.admin().info("commandstats"));
      assertTrue(rejected.find());
      assertEquals("1", rejected.group(1), "sent again");
    }
  }
}
