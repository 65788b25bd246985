package dev.leasehold.redis.set;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.RedisCommand;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection that accepts no calls while too many answers to given-up calls are outstanding:
 * until the server answers or the connection breaks. Thread-safe.
 */
final class PipelinedConnection {
  private final StatefulConnection<byte[], byte[]> connection;
  private final Unanswered unanswered = Unanswered.ofClient();
  private final ConnectedReplicas replicas;
  private volatile AbandonedReplies owed = new AbandonedReplies();

  PipelinedConnection(StatefulConnection<byte[], byte[]> connection) {
    this.connection = connection;
    this.replicas = new ConnectedReplicas(connection::dispatch);
    connection.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
            owed.broke();
            owed = new AbandonedReplies();
            unanswered.end();
            replicas.forget();
          }
        });
  }

  /** Sends a call and the commands that follow it. */
  void send(PendingCommand<?, ?> call) {
    send(List.of(), call);
  }

  /** The same with commands before it, in one write on one socket. */
  void send(List<RedisCommand<byte[], byte[], ?>> before, PendingCommand<?, ?> call) {
    AbandonedReplies now = owed;
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
      if (before.isEmpty() && followers.isEmpty()) {
        connection.dispatch(call);
        return;
      }
      List<RedisCommand<byte[], byte[], ?>> all = new ArrayList<>(before);
      all.add(call);
      all.addAll(followers);
      connection.dispatch(all);
    } catch (RedisException e) {
      call.completeExceptionally(e);
    }
  }
}
