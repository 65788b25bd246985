package dev.leasehold.redis.set;

import io.lettuce.core.RedisException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ByteArrayOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * How many replicas a connection's server has, by the {@code INFO replication} sent with the latest
 * write. While they are too few or unknown, a write's {@code WAIT} is brief, since the server
 * answers nothing else meanwhile. Thread-safe.
 */
final class ConnectedReplicas {
  private static final Duration BRIEF = Duration.ofMillis(20);

  /** A replica that is still loading the data set acknowledges nothing. */
  private static final Pattern ONLINE =
      Pattern.compile("^slave\\d+:.*\\bstate=online\\b", Pattern.MULTILINE);

  private final Consumer<RedisCommand<byte[], byte[], ?>> connection;
  private final AtomicInteger breaks = new AtomicInteger();
  private volatile boolean areEnough;

  ConnectedReplicas(Consumer<RedisCommand<byte[], byte[], ?>> connection) {
    this.connection = connection;
  }

  /** The connection broke; the next one may be to another server. */
  void forget() {
    breaks.incrementAndGet();
    areEnough = false;
  }

  /** How long a write waits for replicas at first. */
  Duration within(RequiredReplicas required) {
    return areEnough || BRIEF.compareTo(required.within()) > 0 ? required.within() : BRIEF;
  }

  static AsyncCommand<byte[], byte[], byte[]> question() {
    return new AsyncCommand<>(
        new Command<>(
            CommandType.INFO,
            new ByteArrayOutput<>(ByteArrayCodec.INSTANCE),
            PendingCommand.args().add("replication")));
  }

  static AsyncCommand<byte[], byte[], Long> waiting(RequiredReplicas required, Duration within) {
    return new AsyncCommand<>(
        new Command<>(
            CommandType.WAIT,
            new IntegerOutput<>(ByteArrayCodec.INSTANCE),
            PendingCommand.args().add(required.atLeast()).add(within.toMillis())));
  }

  /** Their number, from the answer; remembers whether it is enough. */
  CompletableFuture<Long> counted(CompletionStage<byte[]> answer, RequiredReplicas required) {
    return answer
        .thenApply(
            info -> {
              String text = new String(info, StandardCharsets.UTF_8);
              long online = ONLINE.matcher(text).results().count();
              areEnough = online >= required.atLeast();
              return online;
            })
        .toCompletableFuture();
  }

  /**
   * Waits again, for the whole time-out. {@code WAIT} covers what its own connection wrote, so this
   * fails if the connection broke meanwhile.
   */
  CompletableFuture<Long> waitAgain(RequiredReplicas required) {
    int before = breaks.get();
    AsyncCommand<byte[], byte[], Long> wait = waiting(required, required.within());
    try {
      connection.accept(wait);
    } catch (RedisException e) {
      wait.completeExceptionally(e);
    }
    return wait.thenApply(
            count -> {
              if (breaks.get() != before) {
                throw new RedisException("the connection broke during the wait for replicas");
              }
              return count;
            })
        .toCompletableFuture();
  }
}
