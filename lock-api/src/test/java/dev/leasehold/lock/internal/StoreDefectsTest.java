package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store of a user's own that breaks its contract: the message names the method and its duty. */
@Timeout(60)
class StoreDefectsTest {

  private static LockManager over(MapStore store) {
    return LockManager.over(store).closeGrace(Duration.ofMillis(50)).build();
  }

  private static void checkNames(Throwable failure, String... words) {
    String message = String.valueOf(failure.getMessage());
    for (String each : words) {
      assertTrue(message.contains(each), () -> each + " in: " + message);
    }
  }

  @Test
  void noSetOfGuarantees() {
    MapStore store =
        new MapStore(Ticker.system()) {
          @Override
          @SuppressWarnings("NullAway")
          public Set<Guarantee> guarantees() {
            return null;
          }
        };
    checkNames(
        assertThrows(NullPointerException.class, () -> over(store)),
        "LeaseStore.guarantees()",
        "must return",
        "empty");
    assertEquals(1, store.closed, "it is closed, as after any other failure to start");
  }

  /** Returns one stage too few, or none. */
  private static MapStore renewingTooFew() {
    return new MapStore(Ticker.system()) {
      @Override
      public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
        return super.renew(batch).subList(1, batch.size());
      }
    };
  }

  @Test
  void tooFewRenewals() throws Exception {
    try (LockManager locks = over(renewingTooFew())) {
      Lease fixed = locks.lock("a", LockOptions.fixed(Duration.ofSeconds(5))).acquire();
      LockStoreException extended =
          assertThrows(LockStoreException.class, () -> fixed.extend(Duration.ofSeconds(9)));
      checkNames(extended, "LeaseStore.renew", "0 stages", "1 request", "must return one for each");
    }
  }

  @Test
  void noRenewals() throws Exception {
    MapStore store =
        new MapStore(Ticker.system()) {
          @Override
          @SuppressWarnings("NullAway")
          public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
            return null;
          }
        };
    try (LockManager locks = over(store)) {
      Lease fixed = locks.lock("a", LockOptions.fixed(Duration.ofSeconds(5))).acquire();
      LockStoreException extended =
          assertThrows(LockStoreException.class, () -> fixed.extend(Duration.ofSeconds(9)));
      checkNames(extended, "LeaseStore.renew", "null", "1 request", "must return one for each");
    }
  }

  @Test
  void tooManyRenewals() throws Exception {
    CompletableFuture<RenewResult> unasked = new CompletableFuture<>();
    MapStore store =
        new MapStore(Ticker.system()) {
          @Override
          public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
            return List.of(unasked, unasked);
          }
        };
    try (LockManager locks = over(store)) {
      Lease fixed = locks.lock("a", LockOptions.fixed(Duration.ofSeconds(5))).acquire();
      LockStoreException extended =
          assertThrows(LockStoreException.class, () -> fixed.extend(Duration.ofSeconds(9)));
      checkNames(extended, "LeaseStore.renew", "2 stages", "1 request");
      assertTrue(unasked.isCancelled(), "a call whose answer nothing reads is withdrawn");
    }
  }

  @Test
  void tooFewAutomaticRenewals() throws Exception {
    CompletableFuture<LockStoreException> told = new CompletableFuture<>();
    try (LockManager locks =
        LockManager.over(renewingTooFew())
            .closeGrace(Duration.ofMillis(50))
            .listener(
                event -> {
                  if (event instanceof LockEvent.Failed failed) {
                    told.complete(failed.cause());
                  }
                })
            .build()) {
      locks
          .lock("a", LockOptions.builder().automaticLease(Duration.ofMillis(600)).build())
          .acquire();
      checkNames(told.get(20, TimeUnit.SECONDS), "LeaseStore.renew", "must return one for each");
    }
  }

  @Test
  void noStage() throws Exception {
    MapStore store =
        new MapStore(Ticker.system()) {
          @Override
          @SuppressWarnings("NullAway")
          public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
            return null;
          }
        };
    try (LockManager locks = over(store)) {
      LockStoreException e =
          assertThrows(LockStoreException.class, () -> locks.lock("a").acquire());
      checkNames(e, "returned null for acquire", "must return a stage");
    }
  }

  @Test
  void aGrantWithoutItsFence() throws Exception {
    MapStore store =
        new MapStore(Ticker.system()) {
          private boolean asked;

          @Override
          public Set<Guarantee> guarantees() {
            if (asked) {
              throw new IllegalStateException("asked again");
            }
            return super.guarantees();
          }

          @Override
          public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
            asked = true;
            return super.acquire(request)
                .thenApply(
                    answer ->
                        answer instanceof Granted granted
                            ? new Granted(OptionalLong.empty(), granted.ttl())
                            : answer);
          }
        };
    try (LockManager locks = over(store);
        Lease lease = locks.lock("a").acquire()) {
      checkNames(
          assertThrows(UnsupportedOperationException.class, lease::fencingToken),
          "promises FENCING",
          "LeaseStore.acquire",
          "without",
          "must");
    }
  }
}
