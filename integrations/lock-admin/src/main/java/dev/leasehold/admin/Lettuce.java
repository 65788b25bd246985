package dev.leasehold.admin;

import dev.leasehold.redis.common.RedisErrors;
import io.lettuce.core.KeyScanArgs;
import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The code that single servers and clusters share on Lettuce. */
final class Lettuce {
  private static final Pattern RUN_ID = Pattern.compile("^run_id:(\\w+)", Pattern.MULTILINE);
  private static final Pattern VERSION =
      Pattern.compile("^redis_version:(\\d+)", Pattern.MULTILINE);

  /** The first version with sharded pub/sub. */
  private static final int SHARDED = 7;

  private Lettuce() {}

  /** Creates resources with the few threads that a tool needs. */
  static ClientResources resources() {
    return ClientResources.builder()
        .ioThreadPoolSize(2)
        .computationThreadPoolSize(2)
        .commandLatencyRecorder(CommandLatencyRecorder.disabled())
        .commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled())
        .build();
  }

  static void shutDown(ClientResources resources) {
    resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /** Runs a script by its digest or, if the server does not know it, by its text. */
  static CompletableFuture<Object> run(
      LuaCall call, Consumer<RedisCommand<byte[], byte[], ?>> dispatch) {
    AsyncCommand<byte[], byte[], Object> bySha = command(CommandType.EVALSHA, call.sha(), call);
    dispatch.accept(bySha);
    return bySha
        .toCompletableFuture()
        .handle(
            (reply, failure) -> {
              if (failure == null) {
                return CompletableFuture.completedFuture(reply);
              }
              if (!RedisErrors.isNoScript(unwrapped(failure).getMessage())) {
                return CompletableFuture.<Object>failedFuture(unwrapped(failure));
              }
              AsyncCommand<byte[], byte[], Object> byText =
                  command(CommandType.EVAL, call.body(), call);
              dispatch.accept(byText);
              return byText.toCompletableFuture();
            })
        .thenCompose(Function.identity());
  }

  private static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private static AsyncCommand<byte[], byte[], Object> command(
      CommandType type, byte[] script, LuaCall call) {
    CommandArgs<byte[], byte[]> args =
        new CommandArgs<>(ByteArrayCodec.INSTANCE).add(script).add(call.keys().length);
    for (byte[] key : call.keys()) {
      args.addKey(key);
    }
    for (byte[] argument : call.arguments()) {
      args.add(argument);
    }
    return new AsyncCommand<>(new Command<>(type, new NestedReply(), args));
  }

  /** Returns the run id from a server's {@code INFO server}. */
  static String runId(String info) {
    Matcher m = RUN_ID.matcher(info);
    return m.find() ? m.group(1) : "";
  }

  /** Returns whether a server with this {@code INFO server} has sharded pub/sub. */
  static boolean isSharded(String info) {
    Matcher m = VERSION.matcher(info);
    return m.find() && Integer.parseInt(m.group(1)) >= SHARDED;
  }

  /** Sends the next {@code SCAN}. */
  interface Scan {
    RedisFuture<KeyScanCursor<byte[]>> from(ScanCursor cursor, KeyScanArgs args);
  }

  /** Returns the batches of keys of one server. */
  static Iterator<List<byte[]>> batches(
      Scan scan, KeyScanArgs args, Replying replying, String what) {
    return new Iterator<>() {
      private ScanCursor cursor = ScanCursor.INITIAL;
      private @Nullable List<byte[]> next;

      @Override
      public boolean hasNext() {
        while (next == null && !cursor.isFinished()) {
          KeyScanCursor<byte[]> answer =
              replying.await(scan.from(cursor, args).toCompletableFuture(), what);
          cursor = answer;
          next = answer.getKeys().isEmpty() ? null : answer.getKeys();
        }
        return next != null;
      }

      @Override
      public List<byte[]> next() {
        if (!hasNext() || next == null) {
          throw new NoSuchElementException();
        }
        List<byte[]> batch = next;
        next = null;
        return batch;
      }
    };
  }
}
