package dev.leasehold.redis.setnx;

import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.util.Pool;

/** One server. */
final class SingleRedis extends PooledRedis {
  private final RedisClient client;
  private final String address;

  /** On a client; the address is for errors; {@code onClose} closes it if it is ours. */
  SingleRedis(RedisClient client, String address, Runnable onClose) {
    super(onClose);
    this.client = client;
    this.address = address;
  }

  @Override
  Pool<Connection> pool() {
    return client.getPool();
  }

  @Override
  public String toString() {
    return address;
  }
}
