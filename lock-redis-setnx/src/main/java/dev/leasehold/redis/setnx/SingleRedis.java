package dev.leasehold.redis.setnx;

import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.util.Pool;

/** One server. */
final class SingleRedis extends PooledRedis {
  private final RedisClient client;

  /** On a client; {@code onClose} closes it if it is ours. */
  SingleRedis(RedisClient client, Runnable onClose) {
    super(onClose);
    this.client = client;
  }

  @Override
  Pool<Connection> pool() {
    return client.getPool();
  }

  @Override
  public String toString() {
    return client.getPool().getFactory().toString();
  }
}
