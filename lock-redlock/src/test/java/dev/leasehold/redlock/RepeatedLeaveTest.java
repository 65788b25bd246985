package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A waiter leaves while a minority of the nodes is away")
class RepeatedLeaveTest {
  private static final LeaseKey WAITER = new LeaseKey("l", "t:1");

  /** Counts leaves. */
  private static final class Away extends Delegate {
    private boolean away;
    private int told;

    Away(QuorumNode node) {
      super(node);
    }

    @Override
    public CompletionStage<?> leave(LeaseKey waiter) {
      told++;
      return away
          ? CompletableFuture.failedFuture(new LockStoreException(Kind.UNREACHABLE, "away"))
          : super.leave(waiter);
    }
  }

  private final SimNodes<Away> quorum = SimNodes.of(Away::new);
  private final Away away = quorum.nodes().get(2);

  private void leave() {
    quorum.sim().world.await(quorum.store().leave(WAITER).toCompletableFuture());
  }

  @Test
  @DisplayName("They are asked again until they confirm it, and the others once")
  void untilConfirmed() {
    away.away = true;
    leave();
    quorum.sim().run(60_000);
    int tries = away.told;
    assertTrue(tries > 5 && tries < 50, () -> "notified " + tries + " times");
    away.away = false;
    quorum.sim().run(10_000);
    assertEquals(tries + 1, away.told);
    quorum.sim().run(200_000);
    assertEquals(tries + 1, away.told, "it has confirmed it");
    assertEquals(1, quorum.nodes().get(0).told);
    assertEquals(1, quorum.nodes().get(1).told);
  }

  @Test
  @DisplayName("They are notified by one call, however often the waiter leaves")
  void once() {
    away.away = true;
    for (int i = 0; i < 100; i++) {
      leave();
    }
    quorum.sim().run(20_000);
    away.away = false;
    int before = away.told;
    quorum.sim().run(10_000);
    assertEquals(before + 1, away.told);
  }

  @Test
  @DisplayName("They are not notified any more once the place has expired there")
  void notForEver() {
    away.away = true;
    leave();
    quorum.sim().run(LeaseStore.LONGEST_PLACE.toMillis() + 10_000);
    int before = away.told;
    quorum.sim().run(60_000);
    assertEquals(before, away.told);
  }
}
