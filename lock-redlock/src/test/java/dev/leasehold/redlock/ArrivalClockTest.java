package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A waiter that takes a place in a quorum's queue reads the quorum's time")
class ArrivalClockTest {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration PROMPT = SimQuorum.WAY.multipliedBy(10);

  /** Returns the time, unless it hangs. */
  private final class Clock extends Delegate {
    private boolean hangs;
    private int read;

    /** How often its next answers are read late, by 100 ms. */
    private int late;

    /** The place that the last request for a vote asked for, in microseconds. */
    private long place;

    Clock(QuorumNode node) {
      super(node);
    }

    @Override
    public CompletionStage<OptionalLong> time() {
      read++;
      CompletableFuture<OptionalLong> told = new CompletableFuture<>();
      OptionalLong time = OptionalLong.of(micros());
      if (late > 0) {
        late--;
        quorum.sim().world.after(Duration.ofMillis(100), () -> told.complete(time));
      } else if (!hangs) {
        told.complete(time);
      }
      return told;
    }

    @Override
    public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
      place = request.place().orElseThrow();
      return super.vote(request, proposal);
    }
  }

  /** What the clocks of the nodes say. */
  private long micros() {
    return 1_000_000_000L + quorum.sim().world.nanos() / 1_000;
  }

  private final SimNodes<Clock> quorum = SimNodes.of(Clock::new);
  private final Clock sick = quorum.nodes().get(2);
  private int asked;

  /** How long it takes to get a free lock. */
  private Duration asked() {
    long before = quorum.sim().world.nanos();
    LeaseKey key = new LeaseKey("l" + asked, "t:" + asked++);
    AcquireRequest request = new AcquireRequest(key, LEASE, IfHeld.ENQUEUE);
    assertInstanceOf(
        Granted.class,
        quorum.sim().world.await(quorum.store().acquire(request).toCompletableFuture()));
    return Duration.ofNanos(quorum.sim().world.nanos() - before);
  }

  private void assertPrompt() {
    Duration took = asked();
    assertTrue(took.compareTo(PROMPT) < 0, () -> "took " + took);
  }

  @Test
  @DisplayName("again after a minute, and a newcomer then does not wait for a node that hangs")
  void readBeside() {
    assertPrompt();
    assertPrompt();
    assertEquals(1, sick.read);
    sick.hangs = true;
    quorum.sim().run(61_000);
    assertPrompt();
    assertPrompt();
    assertEquals(2, sick.read, "it was read, once");
    quorum.sim().run(61_000);
    assertPrompt();
    assertEquals(3, sick.read);
  }

  @Test
  @DisplayName("before taking the place if the known time is old")
  void old() {
    assertPrompt();
    quorum.sim().run(Duration.ofMinutes(11).toMillis());
    sick.hangs = true;
    Duration took = asked();
    assertTrue(took.compareTo(PROMPT) > 0, () -> "took " + took);
    assertPrompt();
  }

  @Test
  @DisplayName("again if the answer was late: half of the round trip is then a poor estimate")
  void late() {
    quorum.nodes().forEach(node -> node.late = 1);
    long before = micros();
    asked();
    assertTrue(sick.place > before - 10_000, () -> before - sick.place + " us too early");
    assertEquals(2, sick.read);
  }

  @Test
  @DisplayName("but not for ever if answers are always late")
  void alwaysLate() {
    quorum.nodes().forEach(node -> node.late = 10);
    asked();
    assertEquals(3, sick.read);
  }
}
