package dev.leasehold.redis.set;

import dev.leasehold.lock.LockKind;
import dev.leasehold.redis.common.RedisErrors;
import dev.leasehold.simulation.ModelServer;
import dev.leasehold.simulation.ReplyError;
import dev.leasehold.testkit.sim.Fate;
import dev.leasehold.testkit.sim.FaultPlan;
import dev.leasehold.testkit.sim.SimCall;
import dev.leasehold.testkit.sim.SimCall.Operation;
import dev.leasehold.testkit.sim.SimNode;
import io.lettuce.core.RedisConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A connection to a {@link ScriptServer} that carries plain commands, for stores whose client is
 * not Lettuce. Refused commands fail with the server's message. Not thread-safe.
 */
public final class RawConnection {
  private static final Duration REFUSAL = Duration.ofMillis(1);

  private final SimNode client;
  private final ScriptServer server;
  private final FaultPlan faults;
  private long numbers;

  /** Connects a client to a server. */
  public RawConnection(SimNode client, ScriptServer server, FaultPlan faults) {
    this.client = client;
    this.server = server;
    this.faults = faults;
  }

  private void back(Duration delay, Runnable task) {
    client.world().after(delay, () -> client.deliver(task));
  }

  private Fate fate(Operation operation, String lock) {
    return faults.fate(
        new SimCall(client.name(), server.node().name(), operation, lock, numbers++));
  }

  /** Sends a command; the first answer counts. */
  public CompletableFuture<Object> send(Operation operation, String lock, List<String> words) {
    CompletableFuture<Object> answer = new CompletableFuture<>();
    Fate fate = fate(operation, lock);
    client.world().trace(client.name(), List.of(operation, lock, server.node().name(), fate));
    if (fate instanceof Fate.Sent way) {
      for (Duration there : way.requests()) {
        client.world().after(there, () -> arrive(operation, lock, words, answer, way.replies()));
      }
    } else if (fate instanceof Fate.Failed failed) {
      for (Duration there : failed.requests()) {
        client.world().after(there, () -> arrive(operation, lock, words, answer, List.of()));
      }
      back(failed.after(), () -> answer.completeExceptionally(failed.cause()));
    }
    return answer;
  }

  private void arrive(
      Operation operation,
      String lock,
      List<String> words,
      CompletableFuture<Object> answer,
      List<Duration> replies) {
    if (server.node().state() == SimNode.State.DOWN) {
      RedisConnectionException gone = new RedisConnectionException("no server");
      String what = RedisErrors.message(operation.toString(), LockKind.LOCK, lock);
      back(REFUSAL, () -> answer.completeExceptionally(Clients.FAILURES.of(gone, what)));
      return;
    }
    server
        .node()
        .deliver(
            () -> {
              Runnable heard = heard(operation, lock, words, answer);
              replies.forEach(back -> back(back, heard));
            });
  }

  private Runnable heard(
      Operation operation, String lock, List<String> words, CompletableFuture<Object> answer) {
    try {
      Object reply = server.model().call(words);
      client.world().trace(server.node().name(), List.of(operation, lock, "" + reply));
      return () -> answer.complete(reply);
    } catch (ReplyError error) {
      return () ->
          answer.completeExceptionally(
              RedisErrors.of(error.words(), operation.toString(), LockKind.LOCK, lock));
    }
  }

  /** Subscribes to a channel until the server's run ends. */
  public CompletableFuture<Runnable> subscribe(String channel, String lock, Runnable heard) {
    CompletableFuture<Runnable> done = new CompletableFuture<>();
    ModelServer.Subscriber who =
        (from, message) -> {
          if (fate(Operation.WAKE_UP, lock) instanceof Fate.Sent way) {
            way.requests().forEach(there -> back(there, heard));
          }
        };
    client.atCrash(() -> server.model().unsubscribe(who));
    client
        .world()
        .after(
            REFUSAL,
            () -> {
              if (server.node().state() == SimNode.State.RUNNING) {
                server.model().subscribe(channel, who);
                back(REFUSAL, () -> done.complete(() -> server.model().unsubscribe(who)));
              } else {
                back(
                    REFUSAL,
                    () ->
                        done.completeExceptionally(
                            Clients.FAILURES.of(
                                new RedisConnectionException("no server"), "listen")));
              }
            });
    return done;
  }

  /** The server's run id, read without a message. */
  public String runId() {
    return server.runId();
  }

  /** Executes a command without a message. */
  public Object atOnce(List<String> words) {
    return server.model().call(words);
  }
}
