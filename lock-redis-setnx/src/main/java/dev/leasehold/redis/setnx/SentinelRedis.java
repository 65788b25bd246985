package dev.leasehold.redis.setnx;

import dev.leasehold.redis.common.Publishing;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.util.Pool;

/** The primary that Sentinels name. */
final class SentinelRedis extends Redis {
  private final RedisSentinelClient client;
  private final Runnable onClose;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /** Jedis makes a new pool for a new primary. */
  private final AtomicReference<@Nullable Object> last = new AtomicReference<>();

  /**
   * On a client.
   *
   * @param onClose closes it if it is ours
   */
  SentinelRedis(RedisSentinelClient client, Runnable onClose) {
    this.client = client;
    this.onClose = onClose;
  }

  private Pool<Connection> pool() {
    for (Object node : client.getPrimaryNodesConnectionMap().entrySet()) {
      java.util.Map.Entry<?, ?> entry = (java.util.Map.Entry<?, ?>) node;
      @SuppressWarnings("unchecked") // the only value type of the map
      Pool<Connection> pool = (Pool<Connection>) entry.getValue();
      Object before = last.getAndSet(entry.getKey());
      if (before != null && !before.equals(entry.getKey())) {
        listeners.forEach(Runnable::run);
      }
      return pool;
    }
    throw new JedisConnectionException("the Sentinels name no primary");
  }

  @Override
  Connection borrow(byte[] key) {
    return pool().getResource();
  }

  @Override
  Connection borrowForMessages() {
    return pool().getResource();
  }

  /** A primary that was demoted would go on answering a subscriber, but no release counts it. */
  @Override
  void onNewPrimary(Runnable listener) {
    listeners.add(listener);
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
    pool().clear();
  }

  @Override
  public void close() {
    onClose.run();
  }

  @Override
  public String toString() {
    return "the primary that Sentinels name";
  }
}
