package dev.leasehold.redis.set;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.Setting;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.RedisCommand;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets a write count only when enough replicas have it. {@code WAIT} is sent together with the
 * write, since it covers what its own connection wrote: on a new connection it would have nothing
 * to wait for and succeed. Until {@code WAIT} is answered, the server answers nothing else on the
 * connection, so later calls take up to its time-out longer.
 *
 * <p>Between the two, the number of connected replicas is requested ({@link ConnectedReplicas}). If
 * there are too few, the call fails at once, and later ones on the connection wait briefly. The
 * first such call does not undo its write, as with a call whose answer was lost.
 *
 * @param <R> result of the write
 */
final class Acknowledgement<R> {
  private final RequiredReplicas replicas;
  private final Predicate<? super R> wrote;
  private final Supplier<? extends CompletionStage<?>> undo;
  private volatile @Nullable Sent latest;

  /**
   * The commands sent after the latest write.
   *
   * @param within the time-out of {@code WAIT}
   */
  private record Sent(
      ConnectedReplicas there,
      CompletableFuture<Long> connected,
      CompletableFuture<Long> acknowledged,
      Duration within) {}

  /**
   * For one call.
   *
   * @param wrote whether a result means that something was written
   * @param undo undoes a write that too few replicas have
   */
  Acknowledgement(
      RequiredReplicas replicas,
      Predicate<? super R> wrote,
      Supplier<? extends CompletionStage<?>> undo) {
    this.replicas = replicas;
    this.wrote = wrote;
    this.undo = undo;
  }

  /** The commands to be sent after the write. */
  List<RedisCommand<byte[], byte[], ?>> commands(ConnectedReplicas there) {
    Duration within = there.within(replicas);
    AsyncCommand<byte[], byte[], byte[]> question = ConnectedReplicas.question();
    AsyncCommand<byte[], byte[], Long> wait = ConnectedReplicas.waiting(replicas, within);
    latest = new Sent(there, there.counted(question, replicas), wait.toCompletableFuture(), within);
    return List.of(question, wait);
  }

  <T extends R> void settle(PendingCommand<T> call, T result) {
    Sent sent = latest;
    if (sent == null || !wrote.test(result)) {
      call.complete(result);
      return;
    }
    boolean brief = sent.within.compareTo(replicas.within()) < 0;
    sent.connected.whenComplete(
        (count, failure) -> {
          // Undoing it now would take as long as a WAIT that is not brief. It is left to the
          // caller: if the token were used again before, the undo would free a lease.
          if (!brief && failure == null && count < replicas.atLeast() && !call.isDone()) {
            call.completeExceptionally(notConnected(call, count));
          }
        });
    sent.acknowledged.whenComplete(
        (count, failure) -> {
          boolean few = failure == null && count < replicas.atLeast();
          if (brief && few && connected(sent) >= replicas.atLeast() && !call.isDone()) {
            sent.there
                .waitAgain(replicas)
                .whenComplete((all, broken) -> settle(call, result, sent, all, broken));
          } else {
            settle(call, result, sent, count, failure);
          }
        });
  }

  private <T extends R> void settle(
      PendingCommand<T> call,
      T result,
      Sent sent,
      @Nullable Long count,
      @Nullable Throwable failure) {
    if (call.isDone()) {
      return; // given up meanwhile: the token may have been used again, and granted
    }
    if (count != null && count >= replicas.atLeast()) {
      call.complete(result);
      return;
    }
    LockStoreException why;
    if (count == null) {
      Throwable none = failure == null ? new IllegalStateException("no count") : failure;
      why = call.failure(none);
    } else if (connected(sent) < replicas.atLeast()) {
      why = notConnected(call, connected(sent));
    } else {
      why = tooFew(call, count, " acknowledged it within " + Setting.written(replicas.within()));
    }
    undo.get().whenComplete((done, ignored) -> call.completeExceptionally(why));
  }

  /** Answered before {@code WAIT}; unlimited if the question was refused. */
  private static long connected(Sent sent) {
    return sent.connected.isCompletedExceptionally()
        ? Long.MAX_VALUE
        : sent.connected.getNow(Long.MAX_VALUE);
  }

  private LockStoreException notConnected(PendingCommand<?> call, long count) {
    return tooFew(call, count, " are connected");
  }

  private LockStoreException tooFew(PendingCommand<?> call, long count, String how) {
    String few = ": " + count + " of " + replicas.atLeast() + " replicas" + how;
    return new LockStoreException(Kind.UNAVAILABLE, call.what() + few);
  }
}
