package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/** The lease counts from when the client has processed the answers. */
public final class QuorumWithoutElapsedTime extends QuorumControl {
  /** Makes sure that some time elapses, in every run. */
  private static final Duration SLOW = Duration.ofMillis(30);

  @Override
  public String name() {
    return "quorum without elapsed time";
  }

  @Override
  List<String> tells() {
    return List.of("QU-1");
  }

  @Override
  List<String> breaks() {
    return List.of("QU-1", "QU-2", "QU-5");
  }

  @Override
  LeaseStore over(List<? extends LeaseStore> nodes) {
    return new QuorumSketch(nodes) {
      @Override
      <T> CompletableFuture<AnswerRound<T>> ask(
          Duration lease, Function<LeaseStore, CompletionStage<T>> call, Predicate<T> yes) {
        CompletableFuture<AnswerRound<T>> later = new CompletableFuture<>();
        super.ask(lease, call, yes)
            .thenAccept(round -> context().scheduler().schedule(SLOW, () -> later.complete(round)));
        return later;
      }

      @Override
      Duration validity(Duration lease, Duration elapsed) {
        return lease.plus(elapsed);
      }
    };
  }
}
