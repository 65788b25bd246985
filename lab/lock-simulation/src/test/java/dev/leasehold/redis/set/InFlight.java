package dev.leasehold.redis.set;

import dev.leasehold.simulation.ReplyError;
import dev.leasehold.testkit.sim.SimNode;
import io.lettuce.core.protocol.RedisCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A call with the commands before it, on its way to a modelled server. Not thread-safe. */
final class InFlight {
  private static final int MOST_BETWEEN_NANOS = 500_000;

  private final SimConnection connection;
  private final PendingCommand<?> call;
  private final Runnable broken;
  private final List<RedisCommand<byte[], byte[], ?>> commands;
  private final List<List<String>> words;
  private boolean heard;

  /**
   * Not yet there.
   *
   * @param broken run by the client if the server is down
   */
  InFlight(SimConnection connection, PendingCommand<?> call, Runnable broken) {
    this.connection = connection;
    this.call = call;
    this.broken = broken;
    this.commands = new ArrayList<>(call.leaders());
    commands.add(call);
    this.words = commands.stream().map(RespFormat::words).toList();
  }

  /** The first copy that is answered counts. Other clients' commands may come in between. */
  void arrive(List<Duration> replies) {
    run(0, new ArrayList<>(), replies);
  }

  private void run(int next, List<Object> answers, List<Duration> replies) {
    SimNode server = connection.server().node();
    if (server.state() == SimNode.State.DOWN) {
      connection.back(SimConnection.REFUSAL, broken);
      return;
    }
    server.deliver(
        () -> {
          answers.add(answer(words.get(next)));
          if (next + 1 < words.size()) {
            int gap = connection.world().random().nextInt(MOST_BETWEEN_NANOS);
            connection.world().after(Duration.ofNanos(gap), () -> run(next + 1, answers, replies));
          } else {
            replies.forEach(way -> connection.back(way, () -> heard(answers)));
          }
        });
  }

  private Object answer(List<String> command) {
    ScriptServer server = connection.server();
    Object reply;
    try {
      reply = server.step(command);
    } catch (ReplyError error) {
      reply = error;
    }
    connection
        .world()
        .trace(server.node().name(), List.of(call.operation, call.lockName, "" + reply));
    return reply;
  }

  private void heard(List<Object> answers) {
    if (!heard && !call.isDone()) {
      heard = true;
      for (int i = 0; i < answers.size(); i++) {
        RespFormat.decode(answers.get(i), commands.get(i).getOutput());
      }
      call.complete();
    }
  }
}
