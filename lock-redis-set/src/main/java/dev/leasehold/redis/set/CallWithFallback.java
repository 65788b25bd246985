package dev.leasehold.redis.set;

import dev.leasehold.redis.common.RedisErrors;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A command that only some servers have, with a script for the others. */
final class CallWithFallback<W, R> extends PendingCommand<W, R> {
  private final Function<? super W, ? extends R> meaning;
  private final Supplier<CompletableFuture<R>> otherwise;
  private volatile @Nullable CompletableFuture<R> instead;

  /**
   * Not yet sent.
   *
   * @param otherwise sends the equivalent if the server does not know the command
   */
  CallWithFallback(
      Sender to,
      String operation,
      String lockName,
      ProtocolKeyword type,
      CommandOutput<byte[], byte[], W> output,
      CommandArgs<byte[], byte[]> args,
      Function<? super W, ? extends R> meaning,
      Supplier<CompletableFuture<R>> otherwise) {
    super(to, operation, lockName, type, output, args);
    this.meaning = meaning;
    this.otherwise = otherwise;
  }

  @Override
  R meaning(W reply) {
    return meaning.apply(reply);
  }

  @Override
  void failed(String serverWords) {
    if (!RedisErrors.isUnknown(serverWords) || isDone()) {
      super.failed(serverWords);
      return;
    }
    CompletableFuture<R> second = otherwise.get();
    instead = second;
    second.whenComplete(
        (result, failure) -> {
          if (failure == null) {
            complete(result);
          } else {
            completeExceptionally(failure);
          }
        });
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    CompletableFuture<R> second = instead;
    if (second != null) {
      second.cancel(mayInterruptIfRunning);
    }
    return super.cancel(mayInterruptIfRunning);
  }
}
