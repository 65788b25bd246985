package dev.leasehold.controls;

import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/** Asks all nodes in parallel, but counts the votes only when all have answered or timed out. */
public final class QuorumThatWaitsForAll extends QuorumControl {
  @Override
  public String name() {
    return "quorum that waits for all answers";
  }

  @Override
  List<String> tells() {
    return List.of("QU-4");
  }

  @Override
  List<String> breaks() {
    return List.of("QU-4");
  }

  @Override
  LeaseStore over(List<? extends LeaseStore> nodes) {
    return new QuorumSketch(nodes) {
      @Override
      <T> CompletableFuture<AnswerRound<T>> ask(
          Duration lease, Function<LeaseStore, CompletionStage<T>> call, Predicate<T> yes) {
        List<CompletableFuture<T>> answers = new ArrayList<>();
        CompletableFuture<AnswerRound<T>> round =
            super.ask(
                lease,
                node -> {
                  CompletionStage<T> answer = call.apply(node);
                  answers.add(answer.toCompletableFuture());
                  return answer;
                },
                yes);
        CompletableFuture<Void> all =
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
        CompletableFuture<Void> over = new CompletableFuture<>();
        all.whenComplete((done, failure) -> over.complete(null));
        context().scheduler().schedule(nodeTimeout(lease), () -> over.complete(null));
        return over.thenCombine(round, (done, votes) -> votes);
      }
    };
  }
}
