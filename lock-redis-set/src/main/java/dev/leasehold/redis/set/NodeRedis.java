package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.redis.common.ClientAnswers;
import dev.leasehold.redis.common.NodeGuard;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.RunGuard;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One server as a node of a quorum: the server's run is known for each connection before anything
 * else is sent on it. Lettuce would reconnect by itself, perhaps to a restarted server, and send
 * there what was meant for the previous run; so this class reconnects instead.
 */
final class NodeRedis extends OneServer implements NodeServer {
  private static final int LONGEST_PAUSE_MILLIS = 500;

  private final RedisClient voting;
  private final Duration connectTimeout;
  private final NodeGuard guard;
  private final List<Runnable> newPrimary = new CopyOnWriteArrayList<>();
  private final AtomicReference<@Nullable Connected> run = new AtomicReference<>();
  private volatile String lastRunId = "";
  private volatile boolean closed;

  /** Connects. Blocks. */
  private NodeRedis(
      RedisURI uri,
      ClientOptions options,
      NodeVoter voter,
      ClientResources resources,
      NodeThreads threads) {
    super(new AsyncClient(resources), uri, () -> end(resources, threads));
    this.connectTimeout = options.getSocketOptions().getConnectTimeout();
    this.guard = new NodeGuard(voter, address());
    this.voting = new AsyncClient(resources);
    client.setOptions(options);
    voting.setOptions(options.mutate().autoReconnect(false).build());
    try {
      // By this thread's clock: in the opening that hung, the client's timers may have, too.
      ClientAnswers.within(
          longestConnecting().plus(connectTimeout), connect().toCompletableFuture());
    } catch (RuntimeException e) { // also Lettuce's own if it can't even begin
      close();
      throw Clients.FAILURES.connecting(e, destination());
    }
  }

  static NodeRedis own(RedisURI uri, ClientOptions options, NodeVoter voter) {
    NodeThreads threads = new NodeThreads();
    return new NodeRedis(uri, options, voter, Clients.resources(threads), threads);
  }

  private static void end(ClientResources resources, NodeThreads threads) {
    Clients.shutDown(resources);
    threads.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /** A connection for which Lettuce's reconnecting is off. */
  private record Connected(
      StatefulRedisConnection<byte[], byte[]> connection,
      PipelinedConnection pipeline,
      String runId,
      String address)
      implements ServerRun {

    @Override
    public void send(PendingCommand<?> call) {
      pipeline.send(call);
    }

    @Override
    public boolean redirect(PendingCommand<?> call, String serverWords) {
      return false;
    }
  }

  @Override
  public @Nullable ServerRun run() {
    return run.get();
  }

  @Override
  public NodeGuard guard() {
    return guard;
  }

  @Override
  public String runId() {
    return lastRunId;
  }

  private CompletionStage<Void> connect() {
    return made()
        .thenCompose(
            made ->
                limited(entered(made), connectTimeout)
                    .whenComplete(
                        (entered, failure) -> {
                          if (failure != null || closed) {
                            made.closeAsync();
                          }
                        }))
        .thenAccept(this::use);
  }

  /**
   * A new connection. An opening was found that waited for Lettuce for ever, why is not known. So
   * there is a limit on all steps together: asking each Sentinel, connecting, and the handshake.
   */
  private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> made() {
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> making =
        voting.connectAsync(ByteArrayCodec.INSTANCE, uri()).toCompletableFuture();
    CompletableFuture<StatefulRedisConnection<byte[], byte[]>> inTime =
        limited(making.copy(), longestConnecting());
    making.thenAccept(
        late -> {
          if (inTime.isCompletedExceptionally()) {
            late.closeAsync();
          }
        });
    return inTime;
  }

  /** Twice the limit of each step. */
  private Duration longestConnecting() {
    int steps = 2 + uri().getSentinels().size();
    return connectTimeout.multipliedBy(2L * steps);
  }

  /** Uses the client's own timers, which end with it; see {@link ClientAnswers}. */
  private <T> CompletableFuture<T> limited(CompletableFuture<T> call, Duration atMost) {
    ScheduledFuture<?> limit =
        voting
            .getResources()
            .eventExecutorGroup()
            .schedule(
                () -> call.completeExceptionally(new TimeoutException()),
                atMost.toNanos(),
                TimeUnit.NANOSECONDS);
    return call.whenComplete((answer, failure) -> limit.cancel(false));
  }

  /** Reads the server's run and registers it. */
  private CompletableFuture<Connected> entered(StatefulRedisConnection<byte[], byte[]> made) {
    return made.async()
        .info("server")
        .toCompletableFuture()
        .thenCompose(
            info -> {
              Connected met = new Connected(made, pipeline(made), RunGuard.runId(info), address());
              return enter(met).thenApply(done -> met);
            });
  }

  /** Repeats the registration, too; a new connection begins with one anyway. */
  @Override
  public void start(StoreContext context) {
    guard.start(context);
    guard.repeat(
        context,
        () -> {
          Connected now = run.get();
          if (now != null) {
            enter(now);
          }
        });
  }

  private void use(Connected met) {
    lastRunId = met.runId();
    run.set(met);
    met.connection()
        .addListener(
            new RedisConnectionStateListener() {
              @Override
              public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
                broke(met);
              }
            });
    if (!met.connection().isOpen()) {
      broke(met); // before the listener was added
    }
    newPrimary.forEach(Runnable::run);
  }

  private void broke(Connected met) {
    if (run.compareAndSet(met, null) && !closed) {
      met.connection().closeAsync();
      again();
    }
  }

  private void again() {
    if (closed) {
      return; // the connections are closed, too
    }
    Duration pause =
        Duration.ofMillis(ThreadLocalRandom.current().nextInt(LONGEST_PAUSE_MILLIS) + 1);
    try {
      later(pause, this::connectOrAgain);
    } catch (RejectedExecutionException ended) {
      // closed meanwhile
    }
  }

  private void connectOrAgain() {
    Clients.onItsThreads(client.getResources(), this::connect)
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                again();
              }
            });
  }

  @Override
  public void send(PendingCommand<?> call) {
    ServerRun now = run.get();
    if (now == null) {
      call.completeExceptionally(broken());
    } else {
      now.send(call);
    }
  }

  private static RedisConnectionException broken() {
    return new RedisConnectionException("The connection is broken and is being made again");
  }

  /** Each new connection asks the Sentinels. */
  @Override
  public void onNewPrimary(Runnable listener) {
    if (!uri().getSentinels().isEmpty()) {
      newPrimary.add(listener);
    }
  }

  @Override
  StatefulRedisConnection<byte[], byte[]> connected() {
    Connected now = run.get();
    if (now == null) {
      throw broken();
    }
    return now.connection();
  }

  @Override
  public void close() {
    closed = true;
    guard.close();
    Clients.end(voting);
    super.close();
  }
}
