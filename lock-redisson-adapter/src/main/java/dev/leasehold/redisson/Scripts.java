package dev.leasehold.redisson;

import dev.leasehold.redis.common.RedisErrors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.redisson.api.options.ObjectParams;
import org.redisson.api.options.PlainOptions;
import org.redisson.client.RedisNoScriptException;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.client.protocol.RedisStrictCommand;
import org.redisson.client.protocol.decoder.ObjectListReplayDecoder;
import org.redisson.command.CommandAsyncExecutor;

/**
 * Sends scripts by a client of Redisson, each once: what was sent is not sent again, since a
 * release that ran and is sent again would be answered "not yours", which reads as a loss. What
 * still waits for a connection when its stage is cancelled is not sent. Thread-safe.
 */
final class Scripts {
  private static final Form<Long> NUMBER =
      new Form<>(new RedisStrictCommand<>("EVALSHA"), new RedisStrictCommand<>("eval"));
  private static final Form<List<Object>> LIST =
      new Form<>(
          new RedisCommand<>("EVALSHA", new ObjectListReplayDecoder<>()),
          new RedisCommand<>("eval", new ObjectListReplayDecoder<>()));

  private final CommandAsyncExecutor executor;

  private Scripts(CommandAsyncExecutor executor) {
    this.executor = executor;
  }

  /**
   * How a reply is read.
   *
   * @param sha sends a script's name
   * @param text sends all of it; in small letters, since for {@code EVAL} Redisson would send the
   *     name by itself, and then load and send again what may have been cancelled meanwhile
   */
  private record Form<R>(RedisCommand<R> sha, RedisCommand<R> text) {}

  /** On a client; {@code answerTimeout} is how long it waits for an answer. */
  static Scripts on(CommandAsyncExecutor executor, Duration answerTimeout) {
    PlainOptions once = PlainOptions.name("leasehold").retryAttempts(0).timeout(answerTimeout);
    return new Scripts(executor.copy((ObjectParams) once));
  }

  /** Sends a script that answers with a number. */
  <T> CompletionStage<T> number(ScriptCall call, Function<Long, T> meaning) {
    return send(call, NUMBER, meaning);
  }

  /** Sends a script that answers with a list, or nothing. */
  <T> CompletionStage<T> list(ScriptCall call, Function<@Nullable List<Object>, T> meaning) {
    return send(call, LIST, meaning);
  }

  private <R extends @Nullable Object, T> CompletionStage<T> send(
      ScriptCall call, Form<R> form, Function<R, T> meaning) {
    CompletableFuture<T> result = new CompletableFuture<>();
    step(call, form.sha(), call.script().sha(), result)
        .whenComplete(
            (reply, failure) -> {
              if (failure instanceof RedisNoScriptException && !result.isDone()) {
                step(call, form.text(), call.script().body(), result)
                    .whenComplete(
                        (again, refused) -> settle(call, meaning, again, refused, result));
              } else {
                settle(call, meaning, reply, failure, result);
              }
            });
    return result;
  }

  private <R extends @Nullable Object> CompletableFuture<R> step(
      ScriptCall call, RedisCommand<R> command, String script, CompletableFuture<?> result) {
    CompletableFuture<R> sent =
        executor
            .<R, R>evalWriteNoRetryAsync(
                call.keys().get(0),
                StringCodec.INSTANCE,
                command,
                script,
                new ArrayList<>(call.keys()),
                call.arguments().toArray())
            .toCompletableFuture();
    result.whenComplete(
        (done, failure) -> {
          if (result.isCancelled()) {
            sent.cancel(false);
          }
        });
    return sent;
  }

  private static <R extends @Nullable Object, T> void settle(
      ScriptCall call,
      Function<R, T> meaning,
      R reply,
      @Nullable Throwable failure,
      CompletableFuture<T> result) {
    try {
      if (failure != null) {
        String what = RedisErrors.message(call.operation(), call.lockName());
        result.completeExceptionally(Failures.of(failure, what));
      } else {
        result.complete(meaning.apply(reply));
      }
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
  }
}
