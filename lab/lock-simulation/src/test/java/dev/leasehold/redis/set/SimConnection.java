package dev.leasehold.redis.set;

import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.NodeGuard;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.WakeChannel;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.FaultPlan;
import dev.leasehold.testkit.sim.SimCall;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimNode;
import dev.leasehold.testkit.sim.SimWorld;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Connections to a {@link ScriptServer}, one after another, as {@link NodeRedis} and {@link
 * LettuceServer} have them: each belongs to one run of the server, which is entered first; broken
 * ones are replaced after a pause. The fault plan decides the fate of each message. Not
 * thread-safe.
 */
public final class SimConnection implements NodeServer {
  private final Silence silence = new Silence();
  static final Duration REFUSAL = Duration.ofMillis(1);
  private static final int LONGEST_PAUSE_MILLIS = 500;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  private final SimNode client;
  private final ScriptServer server;
  private final FaultPlan faults;
  private final Duration longestLease;
  private final NodeGuard guard;
  private final RandomGenerator random;
  private final Map<Operation, Long> sent = new EnumMap<>(Operation.class);
  private final SimPubSub pubSub;
  private @Nullable OneRun run;

  /** Connected, and not yet recorded by the server. */
  private @Nullable OneRun entering;

  private String lastRunId;
  private boolean closed;

  SimConnection(SimNode client, ScriptServer server, FaultPlan faults, Duration longestLease) {
    this.client = client;
    this.server = server;
    this.faults = faults;
    this.longestLease = longestLease;
    this.guard = new NodeGuard(new NodeVoter(longestLease, KeySpace.WHOLE), server.node().name());
    this.random = client.world().random();
    this.pubSub = new SimPubSub(this);
    client.atCrash(this::close);
    // Without a message: faults while a store is opened are not the subject of the worlds.
    lastRunId = server.runId();
    if (server.node().state() == SimNode.State.DOWN) {
      again();
    } else {
      run = new OneRun(lastRunId);
      if (!longestLease.isZero()) {
        guard.entered((List<?>) server.model().call(Eval.words(guard.voter().enter(lastRunId))));
      }
    }
  }

  /**
   * Whether a key is the mark that a release leaves for an hour after an unanswered acquisition.
   */
  public static boolean isWordOfARelease(Object key) {
    return key.toString().contains("}:gone");
  }

  SimWorld world() {
    return client.world();
  }

  SimNode client() {
    return client;
  }

  ScriptServer server() {
    return server;
  }

  /** The connection to one run. */
  private final class OneRun implements ServerRun {
    private final String id;
    private AbandonedReplies owed = new AbandonedReplies("", silence);

    OneRun(String id) {
      this.id = id;
    }

    @Override
    public String runId() {
      return id;
    }

    /** Messages in flight may arrive after messages sent from now on. */
    void broke() {
      owed.broke();
      owed = new AbandonedReplies("", silence);
    }

    @Override
    public void send(PendingCommand<?> call) {
      if (run == this || run == null && !closed && entering == this) {
        transmit(this, call);
      } else {
        call.completeExceptionally(broken());
      }
    }

    @Override
    public boolean redirect(PendingCommand<?> call, String serverWords) {
      return false;
    }
  }

  private static RedisConnectionException broken() {
    return new RedisConnectionException("The connection is broken and is being made again");
  }

  @Override
  public void send(PendingCommand<?> call) {
    OneRun now = run;
    if (now == null) {
      call.completeExceptionally(broken());
    } else {
      now.send(call);
    }
  }

  Fate fate(Operation operation, String lock) {
    long number = sent.merge(operation, 1L, Long::sum) - 1;
    return faults.fate(new SimCall(client.name(), server.node().name(), operation, lock, number));
  }

  private void transmit(OneRun over, PendingCommand<?> call) {
    InFlight sending =
        new InFlight(
            this,
            call,
            () -> {
              over.broke();
              call.completeExceptionally(broken());
              broke(over);
            });
    call.goesOut(over.owed);
    call.encode(Unpooled.buffer()); // marks it as sent for Lettuce
    Fate fate = fate(Operations.of(call.operation), call.lockName);
    world()
        .trace(client.name(), List.of(call.operation, call.lockName, server.node().name(), fate));
    if (fate instanceof Fate.Sent way) {
      for (Duration there : way.requests()) {
        world().after(there, () -> sending.arrive(way.replies()));
      }
    } else if (fate instanceof Fate.Failed failed) {
      for (Duration there : failed.requests()) {
        world().after(there, () -> sending.arrive(List.of()));
      }
      back(
          failed.after(),
          () -> {
            over.broke();
            call.completeExceptionally(failed.cause());
          });
    } else {
      throw new IllegalStateException("no such fate here: " + fate);
    }
  }

  /** Delivers a task to the client. */
  void back(Duration delay, Runnable task) {
    world().after(delay, () -> client.deliver(task));
  }

  /** The server is gone. */
  void broke() {
    pubSub.broke();
    OneRun before = run;
    if (before != null) {
      back(REFUSAL, () -> broke(before));
    }
  }

  private void broke(OneRun before) {
    if (run == before) {
      run = null;
      before.broke();
      again();
    }
  }

  private void again() {
    if (!closed) {
      client
          .scheduler()
          .schedule(
              Duration.ofMillis(random.nextInt(LONGEST_PAUSE_MILLIS) + 1), this::connectOrAgain);
    }
  }

  private void connectOrAgain() {
    if (closed || run != null) {
      return;
    }
    CompletableFuture<OneRun> made = new CompletableFuture<>();
    world()
        .after(
            REFUSAL,
            () -> {
              if (server.node().state() == SimNode.State.DOWN) {
                back(REFUSAL, () -> made.completeExceptionally(broken()));
              } else {
                server
                    .node()
                    .deliver(
                        () -> {
                          OneRun met = new OneRun(server.runId());
                          back(REFUSAL, () -> made.complete(met));
                        });
              }
            });
    client.scheduler().schedule(CONNECT_TIMEOUT, () -> made.completeExceptionally(broken()));
    made.thenCompose(
            met -> {
              if (longestLease.isZero()) {
                return CompletableFuture.completedFuture(met);
              }
              entering = met;
              CompletableFuture<OneRun> entered = new CompletableFuture<>();
              enter(met)
                  .whenComplete(
                      (left, failure) -> {
                        if (failure == null) {
                          entered.complete(met);
                        } else {
                          entered.completeExceptionally(failure);
                        }
                      });
              client
                  .scheduler()
                  .schedule(CONNECT_TIMEOUT, () -> entered.completeExceptionally(broken()));
              return entered;
            })
        .whenComplete(
            (met, failure) -> {
              entering = null;
              if (failure != null) {
                again();
              } else if (!closed) {
                lastRunId = met.id;
                run = met;
                world().trace(client.name(), "connected to " + server.node().name());
              }
            });
  }

  @Override
  public NodeGuard guard() {
    return guard;
  }

  @Override
  public @Nullable ServerRun run() {
    return run;
  }

  @Override
  public String address() {
    return server.node().name();
  }

  @Override
  public String runId() {
    return lastRunId;
  }

  @Override
  public Silence silence() {
    return silence;
  }

  @Override
  public void name(String label) {
    // the modelled server has no list of clients
  }

  @Override
  public WakeChannel wakeChannel(String storeId, KeySpace keys) {
    return new StoreChannel(this, storeId, keys, Publishing.COUNTS_ALL);
  }

  @Override
  public CompletionStage<StatefulRedisPubSubConnection<byte[], byte[]>> connectPubSub() {
    return pubSub.connect();
  }

  @Override
  public void onNewPrimary(Runnable listener) {
    // there are no Sentinels
  }

  @Override
  public void later(Duration delay, Runnable task) {
    client.scheduler().schedule(delay, task);
  }

  @Override
  public String nodeOf(byte[] key) {
    return "the only one";
  }

  @Override
  public boolean takesManyKeys() {
    return true;
  }

  @Override
  public List<String> info(String section) {
    return List.of((String) server.model().call("INFO", section));
  }

  @Override
  public boolean redirect(PendingCommand<?> call, String serverWords) {
    return false;
  }

  @Override
  public void close() {
    closed = true;
    run = null;
    pubSub.close();
    server.forget(this);
  }
}
