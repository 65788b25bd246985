package dev.leasehold.redis.setnx;

import dev.leasehold.redis.common.Publishing;
import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisClient;

/** One server. */
final class SingleRedis extends Redis {
  private final RedisClient client;
  private final Runnable onClose;

  /**
   * On a client.
   *
   * @param onClose closes it if it is ours
   */
  SingleRedis(RedisClient client, Runnable onClose) {
    this.client = client;
    this.onClose = onClose;
  }

  @Override
  Connection borrow(byte[] key) {
    return client.getPool().getResource();
  }

  @Override
  Connection borrowForMessages() {
    return client.getPool().getResource();
  }

  @Override
  byte[] counts() {
    return Publishing.COUNTS_ALL;
  }

  @Override
  boolean takesManyKeys() {
    return true;
  }

  @Override
  List<String> memory() {
    try (Connection connection = borrowForMessages()) {
      return List.of(info(connection, "memory"));
    }
  }

  @Override
  void dropIdle() {
    client.getPool().clear();
  }

  @Override
  public void close() {
    onClose.run();
  }

  @Override
  public String toString() {
    return client.getPool().getFactory().toString();
  }
}
