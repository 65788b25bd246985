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
 * Lets a write count only when enough replicas have it. {@code WAIT} goes out together with the
 * write, since it tells about what its own connection wrote: on a new connection it would find
 * nothing to wait for and say that all is well. The server answers nothing else on the connection
 * until {@code WAIT} is answered, so calls behind it take up to its time longer.
 *
 * <p>Between the two goes the question how many replicas are connected ({@link ConnectedReplicas}):
 * where they are too few, the call fails at once, and later ones on the connection wait briefly.
 * The first such call leaves what it wrote, as one does whose answer was lost.
 *
 * @param <R> result of the write
 */
final class Acknowledgement<R> {
  private final RequiredReplicas replicas;
  private final Predicate<R> wrote;
  private final Supplier<? extends CompletionStage<?>> undo;
  private volatile @Nullable Sent latest;

  /**
   * What went out behind the latest write.
   *
   * @param within how long {@code WAIT} may take
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
   * @param undo takes back what too few replicas have
   */
  Acknowledgement(
      RequiredReplicas replicas, Predicate<R> wrote, Supplier<? extends CompletionStage<?>> undo) {
    this.replicas = replicas;
    this.wrote = wrote;
    this.undo = undo;
  }

  /** What is to be sent behind the write. */
  List<RedisCommand<byte[], byte[], ?>> commands(ConnectedReplicas there) {
    Duration within = there.within(replicas);
    AsyncCommand<byte[], byte[], byte[]> question = ConnectedReplicas.question();
    AsyncCommand<byte[], byte[], Long> wait = ConnectedReplicas.waiting(replicas, within);
    latest = new Sent(there, there.counted(question, replicas), wait.toCompletableFuture(), within);
    return List.of(question, wait);
  }

  <T extends R> void settle(Call<?, T> call, T result) {
    Sent sent = latest;
    if (sent == null || !wrote.test(result)) {
      call.complete(result);
      return;
    }
    boolean brief = sent.within.compareTo(replicas.within()) < 0;
    sent.connected.whenComplete(
        (count, failure) -> {
          // Behind a WAIT that is not brief, the undoing would take as long as it does. It is left
          // to who called: if the token were asked with again before it, it would free a lease.
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
      Call<?, T> call, T result, Sent sent, @Nullable Long count, @Nullable Throwable failure) {
    if (call.isDone()) {
      return; // given up meanwhile: the token may have been asked with again, and granted
    }
    if (count != null && count >= replicas.atLeast()) {
      call.complete(result);
      return;
    }
    LockStoreException why;
    if (count == null) {
      Throwable none = failure == null ? new IllegalStateException("no count") : failure;
      why = Failures.of(none, call.what());
    } else if (connected(sent) < replicas.atLeast()) {
      why = notConnected(call, connected(sent));
    } else {
      why = tooFew(call, count, " acknowledged it within " + Setting.written(replicas.within()));
    }
    undo.get().whenComplete((done, ignored) -> call.completeExceptionally(why));
  }

  /** It was answered before {@code WAIT} was; all there can be if it was refused. */
  private static long connected(Sent sent) {
    return sent.connected.isCompletedExceptionally()
        ? Long.MAX_VALUE
        : sent.connected.getNow(Long.MAX_VALUE);
  }

  private LockStoreException notConnected(Call<?, ?> call, long count) {
    return tooFew(call, count, " are connected");
  }

  private LockStoreException tooFew(Call<?, ?> call, long count, String how) {
    String few = ": " + count + " of " + replicas.atLeast() + " replicas" + how;
    return new LockStoreException(Kind.UNAVAILABLE, call.what() + few);
  }
}
