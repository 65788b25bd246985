package dev.leasehold.redis.set;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.redis.common.RedisErrors;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
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
 * @param <R> result of the write
 */
final class Acknowledgement<R> {
  private final RequiredReplicas replicas;
  private final Predicate<R> wrote;
  private final Supplier<? extends CompletionStage<?>> undo;
  private volatile @Nullable CompletableFuture<Long> latest;

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

  RedisCommand<byte[], byte[], ?> command() {
    AsyncCommand<byte[], byte[], Long> wait =
        new AsyncCommand<>(
            new Command<>(
                CommandType.WAIT,
                new IntegerOutput<>(ByteArrayCodec.INSTANCE),
                Call.args().add(replicas.atLeast()).add(replicas.within().toMillis())));
    latest = wait;
    return wait;
  }

  <T extends R> void settle(Call<?, T> call, T result) {
    CompletableFuture<Long> wait = latest;
    if (wait == null || !wrote.test(result)) {
      call.complete(result);
      return;
    }
    wait.whenComplete(
        (count, failure) -> {
          if (failure == null && count >= replicas.atLeast()) {
            call.complete(result);
            return;
          }
          if (call.isDone()) {
            return; // given up meanwhile: the token may have been asked with again, and granted
          }
          String message = RedisErrors.message(call.operation, call.lockName);
          LockStoreException why =
              failure != null
                  ? Failures.of(failure, message)
                  : new LockStoreException(
                      Kind.UNAVAILABLE,
                      message
                          + ": "
                          + count
                          + " of "
                          + replicas.atLeast()
                          + " replicas acknowledged it within "
                          + Setting.written(replicas.within()));
          undo.get().whenComplete((done, ignored) -> call.completeExceptionally(why));
        });
  }
}
