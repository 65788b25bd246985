package dev.leasehold.controls;

import static dev.leasehold.controls.Control.Rules.breaks;

import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/** Quorums. */
final class Quorums {
  private Quorums() {}

  static List<Control> withLatches() {
    return List.of(
        new QuorumControl("quorum that offers latches", breaks("CL-4"), LatchesOfNodes::new));
  }

  static List<Control> all() {
    return List.of(
        // Half of the nodes count as a majority.
        new QuorumControl(
            "quorum with N/2 votes",
            breaks("QU-1", "QU-2", "QU-3", "QU-4", "QU-5").toldBy("QU-1"),
            nodes ->
                new QuorumSketch(nodes) {
                  @Override
                  int needed() {
                    return nodes.size() / 2;
                  }
                }),
        // Assumes equal clocks: adds beforehand what the engine deducts for drift.
        new QuorumControl(
            "quorum without drift",
            breaks("QU-1"),
            nodes ->
                new QuorumSketch(nodes) {
                  @Override
                  Duration validity(Duration lease, Duration elapsed) {
                    return lease.plus(lease.dividedBy(100)).plusMillis(2);
                  }
                }),
        // The lease counts from when the client has processed the answers.
        new QuorumControl(
            "quorum without elapsed time",
            breaks("QU-1", "QU-2", "QU-5").toldBy("QU-1"),
            WithoutElapsedTime::new),
        // A failed attempt does not release the votes it got.
        new QuorumControl(
            "quorum without release after failure",
            breaks("QU-1", "QU-2", "QU-3", "QU-4", "QU-7").toldBy("QU-3"),
            nodes ->
                new QuorumSketch(nodes) {
                  @Override
                  void failed(LeaseKey key) {
                    // the votes expire eventually
                  }

                  @Override
                  AcquireResult tooFew(AnswerRound<AcquireResult> votes) {
                    return new AcquireResult.Held(Duration.ZERO); // the engine releases nothing
                  }
                }),
        new QuorumControl(
            "quorum asked in turn, with a long time-out",
            breaks("QU-2", "QU-4").toldBy("QU-4"),
            InTurn::new),
        new QuorumControl("quorum that waits for all answers", breaks("QU-4"), WaitingForAll::new),
        // A reader's token is the largest vote, which is not written back to the other nodes.
        new QuorumControl(
            "quorum whose readers write nothing back",
            breaks("RW-7"),
            nodes -> new SharedQuorumSketch(nodes, false)),
        new QuorumControl(
            "quorum that counts permits per node", breaks("SE-7"), PermitsCountedPerNode::new));
  }

  private static final class WithoutElapsedTime extends QuorumSketch {
    /** Makes sure that some time elapses, in every run. */
    private static final Duration SLOW = Duration.ofMillis(30);

    WithoutElapsedTime(List<? extends LeaseStore> nodes) {
      super(nodes);
    }

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
  }

  /** Nodes are asked one after another, each with the time-out of an ordinary client. */
  private static final class InTurn extends QuorumSketch {
    private static final Duration TIMEOUT = Duration.ofMillis(1200);

    InTurn(List<? extends LeaseStore> nodes) {
      super(nodes);
    }

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
  }

  /** Asks all nodes in parallel, but counts the votes when all have answered or timed out. */
  private static final class WaitingForAll extends QuorumSketch {
    WaitingForAll(List<? extends LeaseStore> nodes) {
      super(nodes);
    }

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
  }
}
