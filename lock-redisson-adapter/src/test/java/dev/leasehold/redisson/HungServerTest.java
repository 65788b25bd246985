package dev.leasehold.redisson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("What a server that hangs costs its clients")
class HungServerTest {
  private static final int CALLS = 3000;

  private final Apps apps = new Apps();
  private int asked;

  @AfterEach
  void close() {
    apps.server().resume();
    apps.close();
  }

  private LeaseStore store(RedissonMode mode) {
    LeaseStore store = apps.closing(RedissonLocks.over(apps.redisson()).mode(mode).open());
    assertInstanceOf(Granted.class, ask(store).join());
    return store;
  }

  private CompletableFuture<AcquireResult> ask(LeaseStore store) {
    LeaseKey key = new LeaseKey("l" + asked++, "a:1");
    return store
        .acquire(new AcquireRequest(key, Duration.ofMinutes(1), IfHeld.REFUSE))
        .toCompletableFuture();
  }

  /** Not if it was sent, and its connection was closed: Redisson waits for a few seconds only. */
  private static boolean isRefused(CompletableFuture<?> call) {
    if (!call.isCompletedExceptionally() || call.isCancelled()) {
      return false;
    }
    Throwable why = assertThrows(CompletionException.class, call::join).getCause();
    assertEquals(Kind.UNREACHABLE, assertInstanceOf(LockStoreException.class, why).kind());
    return why.getMessage().contains("is only asked now and then");
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Abandoned calls are kept until their answer, so their number is limited")
  void bounded(RedissonMode mode) {
    LeaseStore store = store(mode);
    apps.server().pause();
    int sent = 0;
    for (int i = 0; i < CALLS; i++) {
      CompletableFuture<AcquireResult> call = ask(store);
      sent += isRefused(call) ? 0 : 1;
      call.cancel(true);
    }
    int most = sent;
    assertTrue(most >= UnresponsiveServers.MOST_GIVEN_UP, () -> "refused too soon, after " + most);
    assertTrue(most < CALLS / 2, () -> most + " of " + CALLS + " were sent, and are kept");
    apps.server().resume();
    Await.until("it is asked again", () -> !isRefused(ask(store)) && !isRefused(ask(store)));
    assertInstanceOf(Granted.class, ask(store).join());
  }

  @Test
  @DisplayName("Calls that are waited for are none of these, however many")
  void burst() {
    LeaseStore store = store(RedissonMode.PLAIN);
    apps.server().pause();
    List<CompletableFuture<AcquireResult>> all = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      all.add(ask(store));
    }
    assertFalse(all.stream().anyMatch(CompletableFuture::isDone));
    apps.server().resume();
    all.forEach(call -> assertInstanceOf(Granted.class, call.join()));
  }
}
