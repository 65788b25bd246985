package dev.leasehold.redis.setnx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.PermitScripts;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.ReadWriteScripts;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Script;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.common.TogetherScripts;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** An acquisition that comes after its release, by another connection, takes nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LateKindsTest {
  private static final LeaseKey LATE = new LeaseKey("x", "t:late");
  private static final AcquireRequest REQUEST =
      new AcquireRequest(LATE, Duration.ofSeconds(10), IfHeld.REFUSE);
  private static final Publishing HOW = Publishing.toStore("x", Publishing.COUNTS_ALL);

  private final PermitScripts permits = new PermitScripts("s", KeySpace.WHOLE, 1, 2);
  private final FencedScripts locks = new FencedScripts(Script.SETNX_ACQUIRE, "s");
  private final TogetherScripts together =
      new TogetherScripts(Script.SETNX_TOGETHER, KeySpace.WHOLE);
  private RedisServer server;

  @BeforeAll
  void start() {
    server = RedisServers.start();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private Object send(ScriptRequest request) {
    List<String> words = new ArrayList<>();
    words.add("EVAL");
    words.add(new String(request.script().body(), UTF_8));
    words.add(Integer.toString(request.keys().length));
    for (byte[] key : request.keys()) {
      words.add(new String(key, UTF_8));
    }
    for (byte[] argument : request.arguments()) {
      words.add(new String(argument, UTF_8));
    }
    return server.call(words.toArray(String[]::new)).orElseThrow();
  }

  private void assertRefused(ScriptRequest late) {
    RuntimeException refusal = assertThrows(RuntimeException.class, () -> send(late));
    assertTrue(String.valueOf(refusal.getMessage()).contains("released before"));
  }

  @Test
  void permitsThatWereReleasedBefore() {
    send(FencedScripts.gone(LATE, KeySpace.WHOLE));
    assertEquals(0L, send(permits.release(LATE, HOW)));
    assertRefused(permits.acquire(REQUEST, HOW));
    ScriptRequest other =
        new PermitScripts("s", KeySpace.WHOLE, 2, 2)
            .acquire(
                new AcquireRequest(
                    new LeaseKey("x", "t:other"), Duration.ofSeconds(10), IfHeld.REFUSE),
                HOW);
    assertEquals(1L, send(other));
  }

  @Test
  void sidesThatWereReleasedBefore() {
    LeaseKey key = new LeaseKey("y", "t:late");
    AcquireRequest request = new AcquireRequest(key, Duration.ofSeconds(10), IfHeld.REFUSE);
    for (Side side : Side.values()) {
      ReadWriteScripts scripts = new ReadWriteScripts("s", KeySpace.WHOLE, side, "");
      send(FencedScripts.gone(key, KeySpace.WHOLE));
      assertEquals(0L, send(scripts.release(key, HOW)));
      assertRefused(scripts.acquire(request, HOW));
    }
  }

  @Test
  void severalOfWhichTheLastWasReleasedBefore() {
    List<AcquireRequest> requests =
        Stream.of("a", "b", "c")
            .map(name -> new LeaseKey(name, "t:" + name))
            .map(key -> new AcquireRequest(key, Duration.ofSeconds(10), IfHeld.REFUSE))
            .toList();
    LeaseKey beside = new LeaseKey("d", "t:d");
    assertTrue(
        (Long)
                send(
                    locks.acquire(
                        new AcquireRequest(beside, Duration.ofSeconds(10), IfHeld.REFUSE)))
            > 0);
    send(FencedScripts.gone(requests.get(2).key(), KeySpace.WHOLE));
    assertEquals(0L, send(locks.release(requests.get(2).key(), HOW)));
    assertRefused(together.acquire(requests, List.of(beside)));
    for (AcquireRequest request : requests) {
      assertEquals(0L, server.call("EXISTS", "lh:{" + request.key().name() + "}").orElseThrow());
    }
    assertTrue((Long) send(together.acquire(requests.subList(0, 2), List.of(beside))) > 0);
  }
}
