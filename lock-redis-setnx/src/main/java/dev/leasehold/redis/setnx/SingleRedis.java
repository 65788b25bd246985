package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.redis.common.Destination;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.Pool;

/** One server. */
final class SingleRedis extends PooledRedis {
  private final RedisClient client;
  private final @Nullable Destination destination;

  /** On a client that was handed in, and is not closed. */
  SingleRedis(RedisClient client) {
    super(() -> {});
    this.client = client;
    this.destination = null;
  }

  /** On a client of ours; the destination is for errors. */
  SingleRedis(RedisClient client, Destination destination, Runnable onClose) {
    super(onClose);
    this.client = client;
    this.destination = destination;
  }

  @Override
  LockStoreException unconnected(JedisException failure) {
    return destination == null
        ? super.unconnected(failure)
        : Failures.connecting(failure, destination);
  }

  @Override
  Pool<Connection> pool() {
    return client.getPool();
  }

  @Override
  public String toString() {
    return destination == null
        ? "the server of the client that was handed in"
        : destination.toString();
  }
}
