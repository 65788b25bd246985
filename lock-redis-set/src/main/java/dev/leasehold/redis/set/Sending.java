package dev.leasehold.redis.set;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.RedisCommand;
import java.util.ArrayList;
import java.util.List;

/** Puts a call on a connection. */
final class Sending {
  private Sending() {}

  /** With what follows it. */
  static void over(StatefulConnection<byte[], byte[]> connection, Call<?, ?> call) {
    over(connection, List.of(), call);
  }

  /** With what goes before it and what follows it, in one write on one socket. */
  static void over(
      StatefulConnection<byte[], byte[]> connection,
      List<RedisCommand<byte[], byte[], ?>> before,
      Call<?, ?> call) {
    try {
      RedisCommand<byte[], byte[], ?> follower = call.follower();
      if (before.isEmpty() && follower == null) {
        connection.dispatch(call);
        return;
      }
      List<RedisCommand<byte[], byte[], ?>> all = new ArrayList<>(before);
      all.add(call);
      if (follower != null) {
        all.add(follower);
      }
      connection.dispatch(all);
    } catch (RedisException e) {
      call.completeExceptionally(e);
    }
  }
}
