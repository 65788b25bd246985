package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/** Nodes are asked one after another, each with the time-out of an ordinary client. */
public final class QuorumInTurn extends QuorumControl {
  private static final Duration TIMEOUT = Duration.ofMillis(1200);

  @Override
  public String name() {
    return "quorum asked in turn, with a long time-out";
  }

  @Override
  List<String> tells() {
    return List.of("QU-4");
  }

  @Override
  List<String> breaks() {
    return List.of("QU-2", "QU-4");
  }

  @Override
  LeaseStore over(List<? extends LeaseStore> nodes) {
    return new QuorumSketch(nodes) {
      @Override
      <T> CompletableFuture<AnswerRound<T>> ask(
          Duration lease, Function<LeaseStore, CompletionStage<T>> call, Predicate<T> yes) {
        AnswerRound<T> round = new AnswerRound<>(nodes.size(), needed(), yes);
        askFrom(0, round, call);
        return round.ended();
      }

      private <T> void askFrom(
          int first, AnswerRound<T> round, Function<LeaseStore, CompletionStage<T>> call) {
        if (first == nodes.size()) {
          return;
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        context().scheduler().schedule(TIMEOUT, () -> answer.cancel(true));
        call.apply(nodes.get(first))
            .whenComplete(
                (value, failure) -> {
                  if (failure == null) {
                    answer.complete(value);
                  } else {
                    answer.completeExceptionally(failure);
                  }
                });
        answer.whenComplete(
            (value, failure) -> {
              round.heard(value, failure);
              askFrom(first + 1, round, call);
            });
      }
    };
  }
}
