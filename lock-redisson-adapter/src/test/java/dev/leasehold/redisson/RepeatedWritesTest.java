package dev.leasehold.redisson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.testkit.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.api.RedissonClient;

/**
 * {@code WAIT} waits for what its own connection wrote: a repeated request that finds all done has
 * to write something that replicas are sent, or on another connection it counts without them.
 */
@DisplayName("A write without replicas does not count when the request is repeated")
class RepeatedWritesTest extends WithReplica {
  private static final String NAME = "replicated";
  private static final LeaseKey KEY = new LeaseKey(NAME, "a:1");
  private static final Duration LATER = Apps.LONG.multipliedBy(2);

  /** What is asked for twice; the second time it changes nothing. */
  enum Repeated {
    OPEN_LATCH {
      @Override
      CompletionStage<?> ask(LeaseStore store, boolean again) {
        return latches(store).open(KEY, 2, Apps.LONG);
      }
    },
    COUNT_DOWN {
      @Override
      CompletionStage<?> prepare(LeaseStore store) {
        return latches(store).open(new LeaseKey(NAME, "r:1"), 2, Apps.LONG);
      }

      @Override
      CompletionStage<?> ask(LeaseStore store, boolean again) {
        return latches(store).countDown(KEY);
      }
    },
    ACQUIRE {
      @Override
      CompletionStage<?> ask(LeaseStore store, boolean again) {
        return store.acquire(request(again ? Apps.LONG : LATER));
      }
    },
    ACQUIRE_FAIR {
      @Override
      RedissonLocks over(RedissonClient client) {
        return super.over(client).mode(RedissonMode.FAIR);
      }

      @Override
      CompletionStage<?> ask(LeaseStore store, boolean again) {
        return store.acquire(request(again ? Apps.LONG : LATER));
      }
    },
    ACQUIRE_WRITE {
      @Override
      CompletionStage<?> ask(LeaseStore store, boolean again) {
        LeaseStore writes = ((ReadWriteStore) store).writes();
        return writes.acquire(request(again ? Apps.LONG : LATER));
      }
    },
    ACQUIRE_READ {
      @Override
      CompletionStage<?> ask(LeaseStore store, boolean again) {
        Duration ttl = Duration.ofSeconds(again ? 15 : 30); // no more than the client's watchdog
        return ((ReadWriteStore) store).reads().acquire(request(ttl));
      }
    },
    ACQUIRE_PERMITS {
      @Override
      CompletionStage<?> ask(LeaseStore store, boolean again) {
        return permits(store).acquire(request(again ? Apps.LONG : LATER));
      }
    },
    RENEW_PERMITS {
      @Override
      CompletionStage<?> prepare(LeaseStore store) {
        return permits(store).acquire(request(Apps.LONG));
      }

      @Override
      CompletionStage<?> ask(LeaseStore store, boolean again) {
        Duration ttl = again ? Apps.LONG : LATER;
        return permits(store).renew(List.of(new RenewRequest(KEY, ttl))).get(0);
      }
    };

    RedissonLocks over(RedissonClient client) {
      return RedissonLocks.over(client);
    }

    CompletionStage<?> prepare(LeaseStore store) {
      return CompletableFuture.completedFuture(null);
    }

    abstract CompletionStage<?> ask(LeaseStore store, boolean again);

    private static Latches latches(LeaseStore store) {
      return ((LatchStore) store).latches();
    }

    private static LeaseStore permits(LeaseStore store) {
      return ((PermitStore) store).permits(1, 2);
    }

    private static AcquireRequest request(Duration ttl) {
      return new AcquireRequest(KEY, ttl, IfHeld.REFUSE);
    }
  }

  private static RedissonClient client() {
    return Apps.redisson(group, config -> config.setSlavesSyncTimeout(100));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("Neither where it was asked for first nor on another connection")
  void repeated(Repeated what) {
    RedissonClient first = client();
    RedissonClient second = client();
    try (LeaseStore store = what.over(first).open();
        LeaseStore other = what.over(second).open()) {
      Await.until("a replica has what is before", () -> Apps.succeeds(what.prepare(store)));
      replica.pause();
      assertNotAcknowledged(what.ask(store, false));
      assertNotAcknowledged(what.ask(other, true));
      replica.resume();
      group.awaitInSync();
      Await.until("it counts once a replica has it", () -> Apps.succeeds(what.ask(other, true)));
    } finally {
      first.shutdown(0, 2, TimeUnit.SECONDS);
      second.shutdown(0, 2, TimeUnit.SECONDS);
    }
  }

  private static void assertNotAcknowledged(CompletionStage<?> stage) {
    CompletableFuture<?> asked = stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS);
    CompletionException e = assertThrows(CompletionException.class, asked::join);
    LockStoreException why = assertInstanceOf(LockStoreException.class, e.getCause());
    assertEquals(Kind.UNAVAILABLE, why.kind(), why::toString);
  }
}
