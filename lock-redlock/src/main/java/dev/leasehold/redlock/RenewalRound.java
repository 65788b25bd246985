package dev.leasehold.redlock;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * Renews a batch of leases on all nodes, with one message to each node. A lease that has a call
 * under way at a node is sent there by itself, after that call.
 */
final class RenewalRound {
  private final Quorum quorum;
  private final List<One> leases = new ArrayList<>();
  private final long sentAt;

  /** One lease of the batch. */
  private record One(
      TokenState tokenState,
      RenewRequest asked,
      RenewRequest sent,
      NodePoll<RenewResult, RenewResult> poll) {}

  RenewalRound(Quorum quorum, List<RenewRequest> batch) {
    this.quorum = quorum;
    this.sentAt = quorum.now();
    for (RenewRequest request : batch) {
      TokenState tokenState = quorum.stateOf(request.key());
      LeaseKey key = tokenState.key;
      tokenState.lifespan().lasts(quorum.nodeTtl(request.ttl()));
      leases.add(
          new One(
              tokenState,
              request,
              new RenewRequest(key, quorum.nodeTtl(request.ttl())),
              quorum.poll(quorum.voteCount()::renewal)));
    }
  }

  List<CompletionStage<RenewResult>> start() {
    for (Member node : quorum.nodes()) {
      if (quorum.isSecondName(node)) {
        leases.forEach(one -> one.poll.heard(node.index, null, Quorum.secondName()));
        continue;
      }
      List<One> ready = leases.stream().filter(one -> one.tokenState.turns.isFree(node)).toList();
      if (!ready.isEmpty()) {
        together(node, ready);
      }
      leases.stream().filter(one -> !ready.contains(one)).forEach(one -> behind(node, one));
    }
    List<CompletionStage<RenewResult>> results = new ArrayList<>();
    for (One one : leases) {
      quorum.limit(one.poll, one.sent.ttl(), sentAt);
      one.poll
          .result()
          .thenAccept(
              answer -> {
                if (answer == RenewResult.NOT_OWNER) {
                  one.tokenState.lost();
                  quorum.withdraw(one.tokenState); // its remaining nodes would block other clients
                }
              });
      results.add(one.poll.result().thenApply(answer -> inTime(one, answer)));
    }
    return results;
  }

  private void together(Member node, List<One> ready) {
    List<CompletionStage<RenewResult>> answers;
    try {
      answers = quorum.view().of(node).renew(ready.stream().map(One::sent).toList());
    } catch (RuntimeException | Error e) { // the other nodes are still asked
      ready.forEach(one -> one.poll.heard(node.index, null, e));
      return;
    }
    for (int i = 0; i < ready.size(); i++) {
      One one = ready.get(i);
      int at = i;
      one.tokenState
          .turns
          .next(node, () -> node.send(quorum.context(), () -> answers.get(at)))
          .whenComplete(heard(node, one));
    }
  }

  /** Sends a lease by itself, after the call for its token that is under way at the node. */
  private void behind(Member node, One one) {
    one.tokenState
        .turns
        .next(
            node,
            () ->
                node.send(
                    quorum.context(), () -> quorum.view().of(node).renew(List.of(one.sent)).get(0)))
        .whenComplete(heard(node, one));
  }

  private BiConsumer<RenewResult, Throwable> heard(Member node, One one) {
    return (answer, failure) -> {
      Duration inTime = quorum.policy().nodeTimeout(one.sent.ttl());
      quorum.answered(node, sentAt, inTime, failure == null);
      one.poll.heard(node.index, answer, failure);
      if (answer == RenewResult.NOT_OWNER) {
        takeAgain(node, one);
      }
    };
  }

  /** Only once a quorum has confirmed the token: then no other client can hold the lock. */
  private static void takeAgain(Member node, One one) {
    CompletableFuture<RenewResult> result = one.poll.result();
    result.thenAccept(
        outcome -> {
          if (outcome == RenewResult.RENEWED) {
            one.tokenState.takeAgain(node);
          }
        });
  }

  private RenewResult inTime(One one, RenewResult answer) {
    Duration elapsed = Duration.ofNanos(quorum.now() - sentAt);
    if (answer == RenewResult.RENEWED
        && quorum.policy().validity(one.sent.ttl(), elapsed).isNegative()) {
      throw new LockStoreException(
          Kind.TIMED_OUT,
          "renewing by a quorum took " + Setting.written(elapsed) + ", as long as the lease lasts");
    }
    return answer;
  }
}
