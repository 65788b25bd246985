package dev.leasehold.redlock;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.quorum.NodeSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One request to all nodes, decided as soon as the answers allow. Thread-safe. */
final class NodePoll<T, R> {
  private final List<?> nodes;
  private final Judge<T, R> judge;
  private final Supplier<NodeSet> notWaitedFor;
  private final ReentrantLock mutex = new ReentrantLock();
  private final List<Optional<T>> values;
  private final List<Optional<Throwable>> failures;
  private final CompletableFuture<R> result = new CompletableFuture<>();

  /** Derives the result from the answers. */
  @FunctionalInterface
  interface Judge<T, R> {
    /** The result; empty if more answers are needed. If these are the last, empty means failure. */
    Optional<R> judge(NodeAnswers<T> answers);
  }

  /**
   * A request.
   *
   * @param nodes their names, for messages
   * @param notWaitedFor nodes known to be slow: if the others' answers decide, these are not
   *     awaited
   */
  NodePoll(List<?> nodes, Judge<T, R> judge, Supplier<NodeSet> notWaitedFor) {
    this.nodes = nodes;
    this.judge = judge;
    this.notWaitedFor = notWaitedFor;
    this.values = new ArrayList<>(Collections.nCopies(nodes.size(), Optional.empty()));
    this.failures = new ArrayList<>(Collections.nCopies(nodes.size(), Optional.empty()));
  }

  CompletableFuture<R> result() {
    return result;
  }

  /** Limits the wait; nodes that have not answered by then are passed to {@code late}. */
  void within(Duration time, Scheduler scheduler, Consumer<NodeSet> late) {
    Scheduler.Scheduled set = scheduler.schedule(time, () -> settle(true, () -> {}, late));
    result.whenComplete((value, failure) -> set.cancel());
  }

  /** Records a node's answer or failure. */
  void heard(int node, @Nullable T value, @Nullable Throwable failure) {
    settle(
        false,
        () -> {
          if (value != null) {
            values.set(node, Optional.of(value));
          } else {
            failures.set(node, Optional.of(cause(failure)));
          }
        },
        silent -> {});
  }

  /**
   * Whether the failure is a missing answer: the node may have carried out the request, or still
   * do.
   */
  static boolean isSilence(Throwable failure) {
    Throwable cause = cause(failure);
    return cause instanceof CancellationException
        || (cause instanceof LockStoreException typed && typed.kind() == Kind.TIMED_OUT);
  }

  static Throwable cause(@Nullable Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause == null ? new IllegalStateException("no answer and no failure") : cause;
  }

  /**
   * Judges the answers after a change.
   *
   * @param last whether no more are awaited
   * @param late called with the nodes that have not answered, unless the result is known already
   */
  private void settle(boolean last, Runnable change, Consumer<NodeSet> late) {
    Optional<R> found;
    NodeAnswers<T> answers;
    mutex.lock();
    try {
      if (result.isDone()) {
        return;
      }
      change.run();
      answers = new NodeAnswers<>(List.copyOf(values), List.copyOf(failures), last);
      found = judge.judge(answers);
      if (found.isEmpty() && answers.silent().isEmpty()) {
        answers = answers.last();
        found = judge.judge(answers);
      } else if (found.isEmpty() && answers.silent().butNot(notWaitedFor.get()).isEmpty()) {
        found = judge.judge(answers.last());
      }
    } finally {
      mutex.unlock();
    }
    late.accept(answers.silent());
    if (found.isPresent()) {
      result.complete(found.get());
    } else if (answers.isLast()) {
      result.completeExceptionally(failure(answers));
    }
  }

  private LockException failure(NodeAnswers<?> answers) {
    List<Throwable> all = answers.failures().stream().flatMap(Optional::stream).toList();
    for (Throwable failure : all) {
      if (failure instanceof LockConfigurationException wrong) {
        return wrong; // retrying, or asking other nodes, does not help
      }
    }
    boolean silence = !answers.silent().isEmpty();
    Kind kind = silence ? Kind.TIMED_OUT : all.isEmpty() ? Kind.UNAVAILABLE : kind(all.get(0));
    if (all.stream().anyMatch(failure -> kind(failure) != kind) && !silence) {
      return made(Kind.UNAVAILABLE, answers, all);
    }
    return made(kind, answers, all);
  }

  private LockException made(Kind kind, NodeAnswers<?> answers, List<Throwable> all) {
    String message = "no quorum of the nodes: " + answers.words(nodes);
    return all.isEmpty()
        ? new LockStoreException(kind, message)
        : new LockStoreException(kind, message, all.get(0));
  }

  private static Kind kind(Throwable failure) {
    return failure instanceof LockStoreException typed ? typed.kind() : Kind.UNAVAILABLE;
  }
}
