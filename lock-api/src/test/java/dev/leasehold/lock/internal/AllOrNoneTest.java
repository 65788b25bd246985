package dev.leasehold.lock.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.internal.AllOrNone.Part;
import dev.leasehold.lock.internal.AllOrNone.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Several at once, by steps that are told when to end")
class AllOrNoneTest {
  private static final Duration WAIT = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();

  /** Somebody has it until that is over. */
  private final class HeldFor implements Part<String> {
    private final Duration held;
    private boolean isBack;

    HeldFor(Duration held) {
      this.held = held;
    }

    @Override
    public String take() {
      throw new AssertionError("its wait has an end");
    }

    @Override
    public Optional<String> tryTake() {
      throw new AssertionError("it is waited for");
    }

    @Override
    public CompletableFuture<Optional<String>> ask() {
      throw new AssertionError("it is waited for");
    }

    @Override
    public Optional<String> tryTake(Duration wait) {
      time.advance(held);
      return Optional.of("it");
    }

    @Override
    public CompletableFuture<Void> giveBack(String taken) {
      isBack = true;
      return CompletableFuture.completedFuture(null);
    }
  }

  @Test
  @DisplayName("who got the first at the last moment is refused, and the store is not blamed")
  void lastMoment() throws Exception {
    HeldFor first = new HeldFor(WAIT);
    Step<String> failing =
        (places, taken) ->
            CompletableFuture.failedFuture(
                new LockStoreException(LockStoreException.Kind.UNREACHABLE, "for a moment"));
    AllOrNone<String> both =
        new AllOrNone<>(
            List.of(first, new HeldFor(WAIT)), failing, new Clock(time, time, Runnable::run));
    assertEquals(Optional.empty(), both.take(Optional.of(WAIT)));
    assertEquals(true, first.isBack);
  }
}
