package dev.leasehold.redis.setnx;

import dev.leasehold.redis.setnx.JedisConnections.Limits;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.commons.pool2.PooledObjectFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;

/** The primary that Sentinels name. */
final class SentinelRedis extends JedisRedis {
  private final Supplier<Primary> sentinels;
  private final Runnable onClose;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Known known;

  /**
   * A primary.
   *
   * @param identity differs between primaries
   * @param factory connects to it
   */
  record Primary(Object identity, PooledObjectFactory<Connection> factory) {}

  private record Known(Object identity, JedisConnections connections) {}

  /**
   * On the Sentinels of a client that follows them.
   *
   * @param sentinels the primary that they named last; does not block
   * @param onClose closes the client if the store owns it
   */
  SentinelRedis(Supplier<Primary> sentinels, Limits limits, Runnable onClose) {
    super(limits);
    this.sentinels = sentinels;
    this.onClose = onClose;
  }

  @Override
  JedisConnections node() {
    Primary now = sentinels.get();
    Known last = known;
    return last != null && last.identity().equals(now.identity())
        ? last.connections()
        : replace(now);
  }

  private JedisConnections replace(Primary now) {
    Known before;
    Known after;
    lock.lock();
    try {
      before = known;
      if (before != null && before.identity().equals(now.identity())) {
        return before.connections();
      }
      String address = now.identity() instanceof HostAndPort server ? server.toString() : "";
      after =
          new Known(
              now.identity(), new JedisConnections(address, now.factory(), background, limits));
      known = after;
    } finally {
      lock.unlock();
    }
    if (before != null) {
      before.connections().close();
      listeners.forEach(Runnable::run);
    }
    return after.connections();
  }

  /**
   * A demoted primary would keep its subscribers, but a release does not count them as receivers.
   */
  @Override
  void onNewPrimary(Runnable listener) {
    listeners.add(listener);
  }

  @Override
  void closeConnections() {
    Known last = known;
    if (last != null) {
      last.connections().close();
    }
    onClose.run();
  }

  @Override
  public String toString() {
    return "the primary that Sentinels name, " + sentinels.get().identity();
  }
}
