package dev.leasehold.testkit.sim;

import static dev.leasehold.testkit.sim.Rig.assertBetween;
import static dev.leasehold.testkit.sim.Rig.automatic;
import static dev.leasehold.testkit.sim.Rig.ms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss.Reason;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManagerClosedException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.sim.SimCall.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How the engine waits, in virtual time: unknown outcomes, wake-ups, hand-over, time-outs, close.
 */
@ExtendWith(QuietLog.class)
class EngineWaitingTest {
  private static final LockOptions LONG = automatic(Duration.ofSeconds(30));

  private final Rig rig = new Rig();

  private Lease heldBy(SimClient other) {
    return rig.world.await(other.lock("l", LONG).acquireAsync());
  }

  @Test
  void aGrantWhoseReplyWasLostIsFoundByTheSameToken() {
    rig.faults.next(Operation.ACQUIRE, Fate.replyLost(ms(1)));
    CompletionStage<Lease> waiting = rig.client.lock("l", LONG).acquireAsync();
    rig.world.run(ms(2));
    long fence = rig.server.peek("l").orElseThrow().fence().orElseThrow();
    Lease lease = rig.world.await(waiting);
    assertBetween(2000, 2100, rig.now());
    // What was set aside with the first answer is not used: the token has the last number of all.
    assertEquals(fence + 1023, lease.fencingToken());
    assertEquals(fence + 1023, rig.server.peek("l").orElseThrow().fence().orElseThrow());
    assertTrue(lease.isValid());
    assertEquals(2, rig.sent(Operation.ACQUIRE).size());
  }

  /** The next look comes a longest pause after the refusal, also where listening takes for ever. */
  @Test
  void aSubscriptionThatHangsDoesNotStopPolling() {
    Lease other = heldBy(rig.calmClient("d"));
    rig.faults.always(Operation.WATCH, Fate.requestLost());
    CompletionStage<Lease> waiting = rig.client.lock("l", LONG).acquireAsync();
    rig.world.run(ms(10));
    rig.world.await(other.releaseAsync());
    double freed = rig.now();
    rig.world.await(waiting);
    assertBetween(freed, freed + 1110, rig.now());
  }

  @Test
  void aSubscriptionThatComesLateIsUsed() {
    Lease other = heldBy(rig.calmClient("d"));
    rig.faults.next(Operation.WATCH, Fate.after(ms(1), ms(1900)));
    CompletionStage<Lease> waiting = rig.client.lock("l", LONG).acquireAsync();
    rig.world.run(ms(2500));
    assertEquals(1, rig.server.waiters("l"));
    assertEquals(1, rig.sent(Operation.WATCH).size());
    assertEquals(
        3, rig.sent(Operation.ACQUIRE).size(), "asked again after the pause, and when heard");
    rig.world.await(other.releaseAsync());
    double freed = rig.now();
    rig.world.await(waiting);
    assertBetween(freed, freed + 10, rig.now());
  }

  @Test
  void aGrantAfterTheWaiterGaveUpIsReleased() {
    rig.faults.next(Operation.ACQUIRE, Fate.after(ms(1), ms(500)));
    CompletionStage<Lease> waiting = rig.client.lock("l", LONG).acquireAsync();
    rig.world.run(ms(100));
    assertTrue(waiting.toCompletableFuture().cancel(false));
    assertTrue(rig.server.peek("l").isPresent());
    rig.world.run(ms(405));
    assertTrue(rig.server.peek("l").isEmpty());
  }

  @Test
  void anUnknownOutcomeOfOneThatGaveUpIsReleasedOnceTheServerAnswers() {
    rig.faults.next(Operation.ACQUIRE, Fate.replyLost(ms(1)));
    rig.faults.next(Operation.RELEASE, Fate.requestLost());
    CompletionStage<Optional<Lease>> attempt = rig.client.lock("l", LONG).tryAcquireAsync(ms(300));
    rig.world.run(ms(299));
    assertFalse(attempt.toCompletableFuture().isDone());
    rig.world.run(ms(1));
    assertInstanceOf(LockStoreException.class, Rig.failure(attempt));
    assertTrue(rig.server.peek("l").isPresent());
    rig.world.run(Duration.ofSeconds(5));
    assertTrue(rig.server.peek("l").isEmpty());
  }

  @Test
  void anAttemptThatDoesNotWaitAndLostItsReplyIsReleased() {
    rig.faults.next(Operation.ACQUIRE, Fate.replyLost(ms(1)));
    CompletionStage<Optional<Lease>> attempt =
        rig.client.lock("l", LONG).tryAcquireAsync(Duration.ZERO);
    rig.world.run(ms(2100));
    assertInstanceOf(LockStoreException.class, Rig.failure(attempt));
    assertTrue(rig.server.peek("l").isEmpty());
  }

  @Test
  void aReleaseWithoutAnAnswerIsRepeatedInTheBackground() {
    Lease lease = rig.acquire(LONG);
    rig.faults.next(Operation.RELEASE, Fate.requestLost());
    CompletionStage<Void> release = lease.releaseAsync();
    rig.world.run(ms(2000));
    assertInstanceOf(LockStoreException.class, Rig.failure(release));
    rig.world.run(ms(500));
    assertTrue(rig.server.peek("l").isEmpty());
    assertTrue(rig.acquire(LONG).isValid());
  }

  @Test
  void aReleaseWakesAWaiterOfAnotherProcessAtOnce() {
    Lease other = heldBy(rig.calmClient("d"));
    CompletionStage<Lease> waiting = rig.client.lock("l", LONG).acquireAsync();
    rig.world.run(ms(2500));
    double released = rig.now();
    rig.world.await(other.releaseAsync());
    rig.world.await(waiting);
    assertBetween(released, released + 10, rig.now());
  }

  @Test
  void aLostWakeUpCostsASecondAtMost() {
    for (int at = 0; at < 40; at++) {
      Rig one = new Rig();
      Lease other = one.world.await(one.calmClient("d").lock("l", LONG).acquireAsync());
      one.faults.always(Operation.WAKE_UP, Fate.requestLost());
      CompletionStage<Lease> waiting = one.client.lock("l", LONG).acquireAsync();
      one.world.run(ms(2500 + 25L * at));
      double released = one.now();
      one.world.await(other.releaseAsync());
      one.world.await(waiting);
      assertBetween(released, released + 1110, one.now());
    }
  }

  @Test
  void aHolderThatDiesIsFollowedWhenItsLeaseEnds() {
    SimClient other = rig.calmClient("d");
    rig.world.await(other.lock("l", automatic(ms(3000))).acquireAsync());
    other.node().crash();
    rig.world.await(rig.client.lock("l", LONG).acquireAsync());
    assertBetween(3000, 3120, rig.now());
  }

  @Test
  void anIdleWaiterAsksAboutOnceASecond() {
    heldBy(rig.calmClient("d"));
    rig.client.lock("l", LONG).acquireAsync();
    rig.world.run(Duration.ofMinutes(10));
    assertBetween(500, 610, rig.messages.size());
  }

  @Test
  void manyWaitersOfOneProcessAskAsOne() {
    heldBy(rig.calmClient("d"));
    for (int i = 0; i < 100; i++) {
      rig.client.lock("l", LONG).acquireAsync();
    }
    rig.world.run(Duration.ofMinutes(10));
    assertBetween(500, 610, rig.messages.size());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 37, 300, 5000})
  void aTimedAttemptEndsByItsTime(int wait) {
    heldBy(rig.calmClient("d"));
    CompletionStage<Optional<Lease>> contended =
        rig.client.lock("l", LONG).tryAcquireAsync(ms(wait));
    double begin = rig.now();
    if (wait > 1) {
      assertEquals(Optional.empty(), rig.world.await(contended));
      assertEquals(begin + wait, rig.now());
    }
    rig.faults.always(Fate.requestLost());
    begin = rig.now();
    CompletionStage<Optional<Lease>> unanswered =
        rig.client.lock("m", LONG).tryAcquireAsync(ms(wait));
    assertThrows(LockStoreException.class, () -> rig.world.await(unanswered));
    assertEquals(begin + wait, rig.now());
  }

  @Test
  void acquireBearsADeafStoreForTheStoreTimeOut() {
    rig.faults.always(Fate.requestLost());
    CompletionStage<Lease> waiting = rig.client.lock("l", LONG).acquireAsync();
    assertThrows(LockStoreException.class, () -> rig.world.await(waiting));
    assertBetween(10_000, 13_000, rig.now());
  }

  @Test
  void acquireOutlivesAShortOutage() {
    rig.server.crash();
    CompletionStage<Lease> waiting = rig.client.lock("l", LONG).acquireAsync();
    rig.world.run(ms(8000));
    assertFalse(waiting.toCompletableFuture().isDone());
    rig.server.restart(SimServer.Data.KEPT);
    rig.world.await(waiting);
    assertBetween(8000, 9200, rig.now());
  }

  @Test
  void aContendedWaiterOutlivesAnyTimeButNotADeafStore() {
    Lease other = heldBy(rig.calmClient("d"));
    CompletionStage<Lease> waiting = rig.client.lock("l", LONG).acquireAsync();
    rig.world.run(Duration.ofHours(1));
    assertFalse(waiting.toCompletableFuture().isDone());
    double begin = rig.now();
    rig.faults.always(Fate.requestLost());
    assertThrows(LockStoreException.class, () -> rig.world.await(waiting));
    assertBetween(begin + 9_000, begin + 14_000, rig.now());
    assertTrue(other.isValid());
  }

  @Test
  void handOversAreBounded() {
    for (int times : new int[] {0, 1, 3}) {
      Rig one = new Rig();
      LockOptions bounded =
          LONG.toBuilder().handOver(new HandOver(times, Duration.ofHours(1))).build();
      assertEquals(times, run(one, bounded, ms(5)), "hand-overs in a row");
    }
  }

  @Test
  void handOversEndWithTheirTime() {
    Rig one = new Rig();
    LockOptions bounded = LONG.toBuilder().handOver(new HandOver(1000, ms(20))).build();
    int run = run(one, bounded, ms(5));
    assertBetween(3, 4, run);
  }

  /** Ten waiters here and one elsewhere: how many hand-overs here come before the other's turn. */
  private static int run(Rig rig, LockOptions options, Duration work) {
    List<String> order = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      rig.client
          .lock("l", options)
          .acquireAsync()
          .thenAccept(
              lease -> {
                order.add("here");
                rig.node.scheduler().schedule(work, lease::releaseAsync);
              });
    }
    rig.world.run(ms(3));
    assertEquals(List.of("here"), order);
    rig.calmClient("d")
        .lock("l", options)
        .acquireAsync()
        .thenAccept(
            lease -> {
              order.add("there");
              lease.releaseAsync();
            });
    rig.world.run(Duration.ofSeconds(20));
    assertEquals(11, order.size());
    return order.indexOf("there") - 1;
  }

  @Test
  void closingFailsWaitersSignalsLeasesAndFreesNothing() {
    Rig one =
        new Rig(b -> b.closeGrace(Duration.ZERO).commandTimeout(ms(20)).storeTimeout(ms(100)));
    Lease lease = one.acquire(automatic(ms(3000)));
    Rig.Loss loss = one.lossOf(lease);
    CompletionStage<Lease> waiting = one.client.lock("l").acquireAsync();
    one.world.run(ms(500));
    int sent = one.messages.size();
    one.client.manager().close();
    assertFalse(lease.isValid());
    one.world.run(ms(1));
    assertInstanceOf(LockManagerClosedException.class, Rig.failure(waiting));
    assertEquals(Reason.CLOSED, loss.reason());
    assertThrows(LockManagerClosedException.class, () -> one.client.lock("l"));
    one.world.run(ms(2000));
    assertEquals(sent, one.messages.size(), "nothing is sent any more");
    assertTrue(one.server.peek("l").isPresent(), "what is held expires by its lease");
    one.world.run(ms(1000));
    assertTrue(one.server.peek("l").isEmpty());
    assertThrows(LeaseLostException.class, lease::ensureValid);
  }

  @Test
  void nothingIsLeftBehindAfterAnyLoad() {
    for (int i = 0; i < 50; i++) {
      CompletionStage<Lease> waiting = rig.client.lock("l", LONG).acquireAsync();
      rig.client
          .lock("l", LONG)
          .tryAcquireAsync(ms(i + 1))
          .thenAccept(lease -> lease.ifPresent(Lease::releaseAsync));
      rig.world.run(ms(3));
      if (i % 2 == 0) {
        waiting.toCompletableFuture().cancel(false);
      }
      waiting.thenAccept(Lease::releaseAsync);
    }
    rig.world.run(Duration.ofMinutes(1));
    assertTrue(rig.world.runUntilQuiescent(Duration.ofMinutes(1)), "a timer is left");
    assertFalse(rig.server.isListenedTo("l"));
    assertEquals(0, rig.server.waiters("l"));
  }
}
