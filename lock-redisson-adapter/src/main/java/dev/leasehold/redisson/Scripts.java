package dev.leasehold.redisson;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.redis.common.ClientAnswers;
import dev.leasehold.redis.common.ClientFailures;
import dev.leasehold.redis.common.LateAcquisitions;
import dev.leasehold.redis.common.RedisEndpoint.Host;
import dev.leasehold.redis.common.TwoSteps;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.redisson.api.options.ObjectParams;
import org.redisson.api.options.PlainOptions;
import org.redisson.client.RedisNoScriptException;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.RedisCommand;
import org.redisson.command.CommandAsyncExecutor;
import org.redisson.connection.MasterSlaveEntry;

/**
 * Sends scripts by a Redisson client, each once. Nothing is resent: a release that ran and is
 * resent would be answered with "not the owner", which reads as a loss. A script whose stage is
 * cancelled while it waits for a connection is not sent. Thread-safe.
 */
final class Scripts {
  /** Until the manager's time-out is known. */
  private static final Duration FIRST_ANSWER = Duration.ofSeconds(10);

  /** Sends a script's digest. */
  private static final RedisCommand<Object> DIGEST =
      new RedisCommand<>("EVALSHA", (parts, state) -> parts);

  /**
   * Sends its text. In lower case: for {@code EVAL} Redisson would send the digest, and then load
   * and resend a script that may have been cancelled meanwhile.
   */
  private static final RedisCommand<Object> TEXT =
      new RedisCommand<>("eval", (parts, state) -> parts);

  private final CommandAsyncExecutor client;
  private final ReplicaSync replicas;
  private final UnresponsiveServers silence = new UnresponsiveServers();

  /** The calls that have no outcome yet, by their results. */
  private final Map<CompletableFuture<?>, UnderWay> underWay = new ConcurrentHashMap<>();

  private final LateAcquisitions late = new LateAcquisitions();
  private volatile CommandAsyncExecutor executor;

  /** On a client. */
  Scripts(CommandAsyncExecutor client, ConnectionLosses connections) {
    this.client = client;
    this.executor = client;
    this.replicas = new ReplicaSync(client, connections);
    answeredWithin(FIRST_ANSWER);
    connections.onBroken(this::broken);
  }

  /** Parses an answer, and may have to undo a grant in doubt. */
  interface Meaning<T> {
    CompletionStage<T> of(Answer answer);
  }

  /** How a script is sent. */
  private enum Way {
    /** Succeeds as soon as the primary has answered. */
    PLAIN,
    /** Succeeds when replicas have the write, if there are any. */
    REPLICATED
  }

  /** Sets the manager's clock and time-out. */
  void start(StoreContext context) {
    silence.by(context.ticker());
    answeredWithin(context.commandTimeout());
  }

  private void answeredWithin(Duration time) {
    PlainOptions once = PlainOptions.name("leasehold").retryAttempts(0).timeout(time);
    executor = client.copy((ObjectParams) once);
    replicas.answeredWithin(time);
  }

  /** A call and the server it was sent to; null if no server has its slot. */
  private record UnderWay(RedissonScriptCall call, @Nullable InetSocketAddress server) {}

  /**
   * Fails the calls to a server when a connection to it breaks: Redisson would let those on it wait
   * for their time-out. Which calls these are is unknown; the others are repeated as well, which
   * does no harm. In a cluster, calls to other servers go on.
   */
  private void broken(InetSocketAddress address) {
    String at = new Host(address.getHostString(), address.getPort()).toString();
    underWay.forEach(
        (result, sent) -> {
          if (sent.server() == null || address.equals(sent.server())) {
            String what = ClientFailures.at(sent.call().what(), sent.server() == null ? "" : at);
            result.completeExceptionally(
                new LockStoreException(Kind.UNREACHABLE, what + ": the connection broke"));
          }
        });
  }

  /** Whether a script whose write replicas should have is sent together with WAIT. */
  boolean asksReplicas() {
    return replicas.areAsked();
  }

  /** Sends a script whose reply is a number. */
  <T> CompletionStage<T> number(RedissonScriptCall call, Function<Long, T> meaning) {
    return plain(call, reply -> meaning.apply((Long) Objects.requireNonNull(reply)));
  }

  /** Sends a script whose reply is a list or nothing. */
  <T> CompletionStage<T> list(RedissonScriptCall call, Function<@Nullable List<?>, T> meaning) {
    return plain(call, reply -> meaning.apply((List<?>) reply));
  }

  private <T> CompletionStage<T> plain(
      RedissonScriptCall call, Function<@Nullable Object, T> meaning) {
    return send(
        call,
        Way.PLAIN,
        answer -> CompletableFuture.completedFuture(meaning.apply(answer.reply())),
        () -> {});
  }

  /** Sends a script whose write replicas should have. */
  <T> CompletionStage<T> replicated(RedissonScriptCall call, Meaning<T> meaning) {
    return send(call, Way.REPLICATED, meaning, () -> {});
  }

  /**
   * Sends an acquisition, as {@link #replicated}. Without an answer, it may still be in flight when
   * the release is sent on another connection: {@link #ending} handles that.
   */
  <T> CompletionStage<T> acquisition(RedissonScriptCall call, LeaseKey lease, Meaning<T> meaning) {
    late.begin(lease);
    try {
      return send(call, Way.REPLICATED, meaning, () -> late.end(lease));
    } catch (RuntimeException | Error e) {
      late.end(lease); // it was not sent
      throw e;
    }
  }

  /**
   * Ends a lease. If its acquisition may still be in flight, the token is first marked as released.
   */
  <T> CompletionStage<T> ending(
      LockKind kind, LeaseKey lease, Keys keys, Supplier<? extends CompletionStage<T>> release) {
    if (!late.mayCome(lease)) {
      return release.get();
    }
    List<String> gone = List.of(keys.gone(lease.token()), keys.gone(), keys.fence());
    CompletionStage<Long> told =
        number(
            RedissonScriptCall.of(RedissonScript.GONE, "release", lease.name(), gone).about(kind),
            done -> done);
    return new TwoSteps<>(
        told.toCompletableFuture(),
        () -> {
          late.settled(lease);
          return release.get();
        });
  }

  /**
   * Sends a script.
   *
   * @param answered run when it has run on the server, or never will
   */
  @SuppressWarnings("CollectionUndefinedEquality") // calls are compared by identity
  private <T> CompletionStage<T> send(
      RedissonScriptCall call, Way way, Meaning<T> meaning, Runnable answered) {
    MasterSlaveEntry primary = client.getConnectionManager().getEntry(call.keys().get(0));
    UnresponsiveServers.Server server = silence.of(primary);
    if (server.isTooLong()) {
      answered.run();
      return CompletableFuture.failedFuture(tooLong(call));
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    underWay.put(
        result, new UnderWay(call, primary == null ? null : primary.getClient().getAddr()));
    result.whenComplete(
        (done, failure) -> {
          underWay.remove(result);
          if (isGivenUp(failure)) {
            server.gaveUp();
          }
        });
    step(call, DIGEST, call.script().sha(), way, result)
        .whenComplete(
            (reply, failure) -> {
              if (failure == null || RedissonFailures.isAnswer(failure)) {
                server.answered();
              }
              if (failure instanceof RedisNoScriptException && !result.isDone()) {
                step(call, TEXT, call.script().body(), way, result)
                    .whenComplete(
                        (again, refused) ->
                            settle(call, meaning, again, refused, answered, result));
              } else {
                settle(call, meaning, reply, failure, answered, result);
              }
            });
    return result;
  }

  /** By the caller or by Redisson, and not because the connection broke. */
  private static boolean isGivenUp(@Nullable Throwable failure) {
    return failure instanceof CancellationException
        || (failure instanceof LockStoreException typed && typed.kind() == Kind.TIMED_OUT);
  }

  private static LockStoreException tooLong(RedissonScriptCall call) {
    return new LockStoreException(
        Kind.UNREACHABLE,
        call.what()
            + ": the server has not answered "
            + UnresponsiveServers.MOST_GIVEN_UP
            + " abandoned calls, and is only asked now and then until it does");
  }

  private CompletableFuture<Answer> step(
      RedissonScriptCall call,
      RedisCommand<Object> command,
      String script,
      Way way,
      CompletableFuture<?> result) {
    if (way == Way.REPLICATED && replicas.areAsked()) {
      return replicas.send(call, command, script, result);
    }
    CompletableFuture<Object> sent =
        executor
            .<Object, Object>evalWriteNoRetryAsync(
                call.keys().get(0),
                StringCodec.INSTANCE,
                command,
                script,
                new ArrayList<>(call.keys()),
                call.arguments().toArray())
            .toCompletableFuture();
    result.whenComplete(
        (done, failure) -> {
          if (failure != null) {
            sent.cancel(false);
          }
        });
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    sent.whenComplete(
        (reply, failure) -> {
          if (failure != null) {
            answer.completeExceptionally(failure);
          } else {
            answer.complete(Answer.of(reply));
          }
        });
    return answer;
  }

  private static <T> void settle(
      RedissonScriptCall call,
      Meaning<T> meaning,
      @Nullable Answer answer,
      @Nullable Throwable failure,
      Runnable answered,
      CompletableFuture<T> result) {
    if (failure == null || RedissonFailures.isAnswer(failure)) {
      answered.run();
    }
    if (result.isDone()) {
      return; // given up meanwhile
    }
    try {
      if (answer == null) {
        String what = call.what();
        result.completeExceptionally(RedissonFailures.of(Objects.requireNonNull(failure), what));
      } else {
        ClientAnswers.pass(meaning.of(answer), result);
      }
    } catch (RuntimeException e) {
      result.completeExceptionally(e);
    }
  }
}
