package dev.leasehold.micrometer;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import io.micrometer.observation.Observation;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Observations of locks on a real Redis, and spans of them")
class LockObservationsTest {
  @AutoClose private static final RedisServer server = RedisServers.start();

  private final TestObservationRegistry registry = TestObservationRegistry.create();
  private final SimpleTracer tracer = new SimpleTracer();
  private LockManager locks;
  private LockManager others;

  @BeforeEach
  void start() {
    registry.observationConfig().observationHandler(new DefaultTracingObservationHandler(tracer));
    LockSettings settings = LockSettings.of(Map.of("lock.redis.uri", server.uri()));
    LockObservations observations = LockObservations.on(registry);
    locks = LockManager.opener(settings).engine(builder -> builder.listener(observations)).open();
    others = LockManager.open(settings);
  }

  @AfterEach
  void stop() {
    others.close();
    locks.close();
  }

  /** Spans that have ended, those that were asked for first at the head. */
  private List<SimpleSpan> awaitSpans(int count) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (ended().size() < count) {
      assertTrue(System.nanoTime() < end, () -> "spans " + ended());
      Thread.onSpinWait();
    }
    return ended();
  }

  private List<SimpleSpan> ended() {
    return tracer.getSpans().stream()
        .filter(span -> span.getEndTimestamp().toEpochMilli() > 0)
        .toList();
  }

  private static SimpleSpan named(List<SimpleSpan> spans, String name) {
    return spans.stream().filter(span -> span.getName().equals(name)).findFirst().orElseThrow();
  }

  @Test
  @DisplayName("An acquisition and its hold, as siblings below the caller's observation")
  void plain() throws Exception {
    Observation request = Observation.start("request", registry);
    try (Observation.Scope scope = request.openScope()) {
      assertTrue(scope.getCurrentObservation() == request);
      locks.lock("orders:1").acquire().release();
    }
    request.stop();
    List<SimpleSpan> spans = awaitSpans(3);
    SimpleSpan parent = named(spans, "request");
    SimpleSpan acquire = named(spans, "acquire lock");
    SimpleSpan hold = named(spans, "hold lock");
    for (SimpleSpan child : List.of(acquire, hold)) {
      assertEquals(parent.getSpanId(), child.getParentId());
      assertEquals(parent.getTraceId(), child.getTraceId());
      assertEquals("orders:1", child.getTags().get("leasehold.lock"));
      assertEquals("lock", child.getTags().get("leasehold.kind"));
    }
    assertEquals("granted", acquire.getTags().get("leasehold.outcome"));
    assertEquals("false", acquire.getTags().get("leasehold.contended"));
    assertEquals("released", hold.getTags().get("leasehold.end"));
    assertThat(registry)
        .hasObservationWithNameEqualTo(LockObservations.ACQUIRE)
        .that()
        .hasBeenStarted()
        .hasBeenStopped()
        .hasLowCardinalityKeyValue("leasehold.outcome", "granted")
        .hasHighCardinalityKeyValue("leasehold.lock", "orders:1")
        .doesNotHaveError();
    assertThat(registry)
        .hasObservationWithNameEqualTo(LockObservations.HOLD)
        .that()
        .hasLowCardinalityKeyValue("leasehold.end", "released")
        .hasHighCardinalityKeyValue("leasehold.lock", "orders:1");
    assertThat(registry).doesNotHaveAnyRemainingCurrentObservation();
  }

  @Test
  @DisplayName("Asked for here, granted to a callback and released there: the same parent")
  void asynchronous() throws Exception {
    Lease elsewhere = others.lock("a").acquire();
    Observation request = Observation.start("request", registry);
    CompletableFuture<Void> done;
    try (Observation.Scope scope = request.openScope()) {
      assertTrue(scope.getCurrentObservation() == request);
      done = locks.lock("a").acquireAsync().thenCompose(Lease::releaseAsync).toCompletableFuture();
    }
    assertTrue(locks.lock("a").tryAcquire().isEmpty());
    elsewhere.release();
    done.get(20, TimeUnit.SECONDS);
    request.stop();
    List<SimpleSpan> spans = awaitSpans(4);
    String parent = named(spans, "request").getSpanId();
    List<SimpleSpan> below =
        spans.stream().filter(span -> parent.equals(span.getParentId())).toList();
    assertEquals(2, below.size());
    SimpleSpan acquire = named(below, "acquire lock");
    assertEquals("true", acquire.getTags().get("leasehold.contended"));
    assertTrue(
        !named(below, "hold lock").getStartTimestamp().isBefore(acquire.getStartTimestamp()));
    SimpleSpan refused =
        spans.stream()
            .filter(span -> "refused".equals(span.getTags().get("leasehold.outcome")))
            .findFirst()
            .orElseThrow();
    assertTrue(!parent.equals(refused.getParentId()), "it was asked for outside of the request");
  }

  @Test
  @DisplayName("A lost hold ends with an error, however the loss is detected")
  void lost() throws Exception {
    Lease brief = locks.lock("b", LockOptions.fixed(Duration.ofSeconds(1))).acquire();
    brief.lost().toCompletableFuture().get(20, TimeUnit.SECONDS);
    SimpleSpan expired = named(awaitSpans(2), "hold lock");
    assertEquals("expired", expired.getTags().get("leasehold.end"));
    assertInstanceOf(LeaseLostException.class, expired.getError());
    Lease gone = locks.lock("c").acquire();
    server.call("FLUSHALL");
    assertThrows(LeaseLostException.class, gone::release);
    assertTrue(
        awaitSpans(4).stream()
            .anyMatch(span -> "not_owner".equals(span.getTags().get("leasehold.end"))));
  }
}
