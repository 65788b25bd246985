package dev.leasehold.redis.set;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.DefaultEndpoint;
import io.lettuce.core.protocol.RedisCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A connection that accepts no calls while too many answers to given-up calls are outstanding:
 * until the server answers or the connection breaks. It is broken after a long silence.
 * Thread-safe.
 */
final class PipelinedConnection {
  private final StatefulConnection<byte[], byte[]> connection;
  private final Unanswered unanswered = Unanswered.ofClient();
  private final ConnectedReplicas replicas;
  private final Silence silence;
  private volatile AbandonedReplies owed;

  /** To the server at this address. */
  PipelinedConnection(
      StatefulConnection<byte[], byte[]> connection, String address, Silence silence) {
    this.connection = connection;
    this.silence = silence;
    this.owed = new AbandonedReplies(address, silence);
    this.replicas = new ConnectedReplicas(wait -> connection.dispatch(audible(wait)));
    connection.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
            owed.broke();
            owed = new AbandonedReplies(address, silence);
            unanswered.end();
            replicas.forget();
          }
        });
  }

  /**
   * The server hangs, or there is no way to it: TCP would take a quarter of an hour to notice, and
   * only a new connection finds the primary that has replaced it.
   */
  private void breakOff() {
    if (connection instanceof RedisChannelHandler<?, ?> handler
        && handler.getChannelWriter() instanceof DefaultEndpoint endpoint) {
      endpoint.disconnect();
    }
    silence.broken();
  }

  /** An answer to it ends the silence, as one to a call does. */
  private <C extends RedisCommand<byte[], byte[], ?>> C audible(C command) {
    if (command instanceof CompletionStage<?> stage) {
      stage.thenRun(() -> owed.heard());
    }
    return command;
  }

  /** Sends a call with the commands that precede and follow it. */
  void send(PendingCommand<?> call) {
    send(List::of, call);
  }

  /**
   * The same, in one write on one socket, with further commands before the call and before each
   * that precedes it; these commands are made anew each time.
   */
  void send(Supplier<List<RedisCommand<byte[], byte[], ?>>> beforeEach, PendingCommand<?> call) {
    AbandonedReplies now = owed;
    if (now.isSilent()) {
      breakOff();
    }
    if (now.areTooMany()) {
      call.completeExceptionally(
          new LockStoreException(
              Kind.UNREACHABLE,
              call.what()
                  + ": the server has not answered "
                  + AbandonedReplies.MOST
                  + " abandoned calls, and is sent no more until it does"));
      return;
    }
    call.goesOut(now);
    unanswered.add(call);
    try {
      List<RedisCommand<byte[], byte[], ?>> followers = call.followers(replicas);
      List<RedisCommand<byte[], byte[], ?>> all = new ArrayList<>();
      for (RedisCommand<byte[], byte[], ?> leader : call.leaders()) {
        all.addAll(beforeEach.get());
        all.add(leader);
      }
      all.addAll(beforeEach.get());
      if (all.isEmpty() && followers.isEmpty()) {
        connection.dispatch(call);
        return;
      }
      all.add(call);
      followers.forEach(follower -> all.add(audible(follower)));
      connection.dispatch(all);
    } catch (RedisException e) {
      call.completeExceptionally(e);
    }
  }
}
