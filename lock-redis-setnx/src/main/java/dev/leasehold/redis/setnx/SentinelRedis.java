package dev.leasehold.redis.setnx;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.RedisSentinelClient;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.util.Pool;

/** The primary that Sentinels name. */
final class SentinelRedis extends PooledRedis {
  private final RedisSentinelClient client;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final AtomicReference<@Nullable Object> last = new AtomicReference<>();

  /** On a client; {@code onClose} closes it if it is ours. */
  SentinelRedis(RedisSentinelClient client, Runnable onClose) {
    super(onClose);
    this.client = client;
  }

  @Override
  Pool<Connection> pool() {
    for (Object node : client.getPrimaryNodesConnectionMap().entrySet()) {
      Map.Entry<?, ?> entry = (Map.Entry<?, ?>) node;
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

  /** A primary that was demoted would go on answering a subscriber, but no release counts it. */
  @Override
  void onNewPrimary(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  public String toString() {
    return "the primary that Sentinels name, " + client.getCurrentMaster();
  }
}
