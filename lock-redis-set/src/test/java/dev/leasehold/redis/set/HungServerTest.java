package dev.leasehold.redis.set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a server that hangs costs its clients")
class HungServerTest {
  private static final int CALLS = 5000;

  private final RedisServer server = RedisServers.start();
  private LeaseStore store;
  private int asked;
  private long paused;

  @AfterEach
  void stop() {
    server.resume();
    store.close();
    server.close();
  }

  private LeaseStore open(String mode, boolean node) {
    LockSettings settings =
        LockSettings.of(Map.of("lock.redis.uri", server.uri(), "lock.redis-set.mode", mode));
    server.call("HSET", "lh:node", "run", server.runId(), "since", "0", "longest", "0");
    RedisSetBackend backend = new RedisSetBackend();
    store = node ? backend.openNode(settings, Duration.ofMinutes(1)) : backend.open(settings);
    assertInstanceOf(Granted.class, ask().join());
    return store;
  }

  private void pause() {
    server.pause();
    paused = System.nanoTime();
  }

  private CompletableFuture<AcquireResult> ask() {
    LeaseKey key = new LeaseKey("l" + asked++, "a:1");
    return store
        .acquire(new AcquireRequest(key, Duration.ofMinutes(1), IfHeld.REFUSE))
        .toCompletableFuture();
  }

  private boolean isRefused(CompletableFuture<?> call) {
    if (!call.isCompletedExceptionally() || call.isCancelled()) {
      return false;
    }
    LockStoreException why =
        (LockStoreException) assertThrows(CompletionException.class, call::join).getCause();
    assertEquals(Kind.UNREACHABLE, why.kind());
    // After a long silence it is "not connected".
    boolean isSilent = System.nanoTime() - paused > Silence.LONGEST.toNanos();
    assertTrue(
        isSilent || why.getMessage().contains("is sent no more until it does"), why.getMessage());
    return true;
  }

  private void awaitAnswers() {
    for (long until = System.nanoTime() + Duration.ofSeconds(20).toNanos(); ; ) {
      CompletableFuture<AcquireResult> one = ask();
      if (!isRefused(one)) {
        assertInstanceOf(Granted.class, one.join());
        return;
      }
      assertTrue(System.nanoTime() < until, "still refused");
      Thread.onSpinWait();
    }
  }

  @ParameterizedTest(name = "{0}, a node: {1}")
  @CsvSource({"fenced,false", "fenced,true", "plain,false", "plain,true"})
  @DisplayName("Abandoned calls are kept until their answer, so their number is limited")
  void bounded(String mode, boolean node) {
    open(mode, node);
    pause();
    giveUpTooMany();
    for (int i = 0; i < CALLS; i++) {
      assertTrue(isRefused(ask()), "sent, and kept for as long as the server hangs");
    }
    server.resume();
    awaitAnswers();
  }

  /** What was not yet written is withdrawn, and costs nothing. */
  private void giveUpTooMany() {
    for (int i = 0; i < CALLS; i++) {
      CompletableFuture<AcquireResult> call = ask();
      if (isRefused(call)) {
        return;
      }
      LockSupport.parkNanos(100_000); // for the client's threads; nothing depends on how long
      call.cancel(true);
    }
    fail(CALLS + " calls were given up, and more are sent");
  }

  @Test
  @DisplayName("Calls that are waited for are no debt, however many")
  void burst() {
    open("fenced", false);
    pause();
    List<CompletableFuture<AcquireResult>> all = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      all.add(ask());
    }
    assertFalse(all.stream().anyMatch(CompletableFuture::isDone));
    server.resume();
    all.forEach(call -> assertInstanceOf(Granted.class, call.join()));
  }

  @Test
  @DisplayName("A connection that breaks takes its debts along")
  void broken() {
    open("fenced", false);
    pause();
    giveUpTooMany();
    server.kill();
    server.restart(RedisServer.Data.LOSE);
    Await.until(
        "the store goes on",
        () -> {
          CompletableFuture<AcquireResult> call = ask();
          try {
            return call.join() instanceof Granted;
          } catch (CompletionException notYet) {
            return false;
          }
        });
  }
}
