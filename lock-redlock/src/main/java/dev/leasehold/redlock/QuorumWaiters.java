package dev.leasehold.redlock;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;

/** Waiting in the queues of all nodes: a message from any node is a wake-up. */
final class QuorumWaiters {
  private static final Duration LEASE = Duration.ofSeconds(10);

  private QuorumWaiters() {}

  /** The engine will not acquire with this token any more. */
  static CompletionStage<?> leave(Quorum quorum, LeaseKey waiter) {
    TokenState tokenState = quorum.stateOf(waiter);
    if (!tokenState.hasWon()) {
      tokenState.close();
    }
    return leave(quorum, tokenState);
  }

  static CompletionStage<?> leave(Quorum quorum, TokenState tokenState) {
    CompletionStage<?> left =
        quorum.<Object, NodeAnswers<Object>>ask(
            LEASE, quorum.voteCount()::enough, node -> leave(quorum, tokenState, node));
    tokenState.leftLines();
    return left;
  }

  /**
   * After a win: on nodes that did not grant the lock, the waiter may still be queued. It asks
   * there again, which removes it from the queue of a node that is free by now. Leaving instead
   * would wake other waiters out of turn.
   */
  static void takeOthers(Quorum quorum, TokenState tokenState) {
    for (Member node : quorum.nodes()) {
      tokenState
          .takeToo(node)
          .thenAccept(
              granted -> {
                if (!granted) {
                  leave(quorum, tokenState, node);
                }
              });
    }
    tokenState.leftLines();
  }

  /** Sends a leave and repeats it until the node confirms: until then the node keeps the place. */
  private static CompletableFuture<Object> leave(
      Quorum quorum, TokenState tokenState, Member node) {
    PendingLeave leave = new PendingLeave(quorum, tokenState);
    return leave
        .send(node)
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                node.pendingLeaves.add(quorum.context(), leave);
              }
            });
  }

  /**
   * Listens at all nodes. Complete once a quorum listens: every release frees a quorum, which
   * shares a node with that one.
   */
  static CompletionStage<Watch> watch(Quorum quorum, LeaseKey waiter, Runnable wakeUp) {
    Watches all = new Watches();
    WakeUpCoalescer wakeUps = new WakeUpCoalescer(quorum, wakeUp);
    CompletableFuture<Watch> result =
        quorum
            .<Watch, NodeAnswers<Watch>>ask(
                LEASE,
                quorum.voteCount()::enough,
                node -> {
                  CompletableFuture<Watch> watch =
                      node.send(
                          quorum.context(),
                          () -> quorum.view().of(node).watch(waiter, () -> wakeUps.from(node)));
                  watch.thenAccept(all::add);
                  return watch;
                })
            .thenApply(enough -> all);
    result.whenComplete(
        (watch, failure) -> {
          if (failure != null) {
            all.close();
          }
        });
    return result;
  }

  /** The watches of one waiter, including those that begin later. */
  private static final class Watches implements Watch {
    private final ReentrantLock mutex = new ReentrantLock();
    private final List<Watch> open = new ArrayList<>();
    private boolean closed;

    void add(Watch watch) {
      mutex.lock();
      try {
        if (!closed) {
          open.add(watch);
          return;
        }
      } finally {
        mutex.unlock();
      }
      watch.close();
    }

    @Override
    public void close() {
      List<Watch> all;
      mutex.lock();
      try {
        closed = true;
        all = List.copyOf(open);
        open.clear();
      } finally {
        mutex.unlock();
      }
      all.forEach(Watch::close);
    }
  }
}
