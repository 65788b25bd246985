package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.internal.several.AcquiredParts.Part;
import dev.leasehold.lock.internal.several.AllOrNone;
import dev.leasehold.lock.internal.several.CombinedStep;
import dev.leasehold.lock.internal.threads.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Several at once, by steps that know when to end")
class AllOrNoneTest {
  private static final Duration WAIT = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();

  /** It is held until that is over. */
  private final class HeldFor implements Part<String> {
    private final Duration held;
    private final boolean others;
    private boolean isBack;

    HeldFor(Duration held, boolean others) {
      this.held = held;
      this.others = others;
    }

    @Override
    public CompletableFuture<Optional<String>> await(Optional<Duration> wait) {
      assertEquals(Optional.of(WAIT), wait, "its wait has an end");
      time.advance(held);
      return CompletableFuture.completedFuture(Optional.of("it"));
    }

    @Override
    public CompletableFuture<Optional<String>> ask() {
      throw new AssertionError("it is waited for");
    }

    @Override
    public boolean wasOthers(String taken) {
      return others;
    }

    @Override
    public CompletableFuture<Void> giveBack(String taken) {
      isBack = true;
      return CompletableFuture.completedFuture(null);
    }
  }

  private static AllOrNone<String> both(HeldFor first, ManualTime time) {
    CombinedStep<String> failing =
        (places, taken) ->
            CompletableFuture.failedFuture(
                new LockStoreException(LockStoreException.Kind.UNREACHABLE, "for a moment"));
    return new AllOrNone<>(List.of(first, first), failing, new Clock(time, time, Runnable::run));
  }

  @Test
  @DisplayName("one that got the first at the last moment, from others, is refused")
  void lastMoment() throws Exception {
    HeldFor first = new HeldFor(WAIT, true);
    assertEquals(Optional.empty(), both(first, time).take(Optional.of(WAIT)));
    assertEquals(true, first.isBack);
  }

  @Test
  @DisplayName("one whose first answer took all of its time is not refused: it fails")
  void slowStore() {
    HeldFor first = new HeldFor(WAIT, false);
    LockStoreException failure =
        assertThrows(LockStoreException.class, () -> both(first, time).take(Optional.of(WAIT)));
    assertEquals("no answer yet within 1s, the time to wait", failure.getMessage());
    assertEquals(true, first.isBack);
  }
}
