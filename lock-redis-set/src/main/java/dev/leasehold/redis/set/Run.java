package dev.leasehold.redis.set;

import io.lettuce.core.api.StatefulRedisConnection;

/**
 * A connection that is never made anew, and so leads to one run of one server.
 *
 * @param runId of that run
 */
record Run(StatefulRedisConnection<byte[], byte[]> connection, String runId) implements Sender {

  @Override
  public void send(Call<?, ?> call) {
    Sending.over(connection, call);
  }

  @Override
  public boolean redirect(Call<?, ?> call, String serverWords) {
    return false;
  }
}
