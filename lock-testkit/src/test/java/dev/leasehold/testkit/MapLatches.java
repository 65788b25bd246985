package dev.leasehold.testkit;

import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Latches on a map that several managers share. Waiters poll; its monitor is the one step. */
final class MapLatches implements Latches {
  private final Map<String, Latch> names = new HashMap<>();

  /** Tokens of all count-downs: of a test's life there are few. */
  private final Set<String> counted = new HashSet<>();

  private record Latch(String round, int count, long end, String passed) {
    Duration left() {
      return Duration.ofNanos(end - System.nanoTime());
    }

    Latch less() {
      return new Latch(round, count - 1, end, passed);
    }

    boolean isOver() {
      return end - System.nanoTime() <= 0;
    }
  }

  private synchronized <T> CompletionStage<T> step(Supplier<T> step) {
    names.values().removeIf(latch -> latch.left().compareTo(REMEMBERED.negated()) < 0);
    return CompletableFuture.completedFuture(step.get());
  }

  @Override
  public CompletionStage<Boolean> open(LeaseKey round, int count, Duration keepFor) {
    return step(
        () -> {
          Latch before = names.get(round.name());
          if (before != null && (before.round().equals(round.token()) || !before.isOver())) {
            return before.round().equals(round.token());
          }
          String passed = before != null && before.count() == 0 ? before.round() : "";
          long end = System.nanoTime() + keepFor.toNanos();
          names.put(round.name(), new Latch(round.token(), count, end, passed));
          return true;
        });
  }

  @Override
  public CompletionStage<Boolean> countDown(LeaseKey once) {
    return step(
        () -> {
          Latch latch = names.get(once.name());
          if (counted.contains(once.token())) {
            return true;
          }
          if (latch == null || latch.isOver() || latch.count() == 0) {
            return false;
          }
          names.put(once.name(), latch.less());
          return counted.add(once.token());
        });
  }

  @Override
  public CompletionStage<Optional<State>> look(LeaseKey waiter, IfHeld ifClosed) {
    return step(
        () ->
            Optional.ofNullable(names.get(waiter.name()))
                .map(
                    latch ->
                        new State(latch.round(), latch.count(), latch.left(), latch.passed())));
  }
}
