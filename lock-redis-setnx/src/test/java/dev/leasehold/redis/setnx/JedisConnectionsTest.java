package dev.leasehold.redis.setnx;

import static org.junit.jupiter.api.Assertions.assertSame;

import dev.leasehold.lock.LockStoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;

@DisplayName("Connections to one node")
class JedisConnectionsTest {
  private static final JedisConnections.Limits LIMITS =
      new JedisConnections.Limits(1, Duration.ofSeconds(10));

  /** Makes one that is never used, and says when it is about to be handed out. */
  private static final class Factory extends BasePooledObjectFactory<Connection> {
    final CountDownLatch ready = new CountDownLatch(1);

    @Override
    public Connection create() {
      return new Connection(new HostAndPort("127.0.0.1", 1));
    }

    @Override
    public PooledObject<Connection> wrap(Connection made) {
      return new DefaultPooledObject<>(made);
    }

    @Override
    public void passivateObject(PooledObject<Connection> made) {
      ready.countDown();
    }
  }

  @Test
  @Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
  @DisplayName("a grant at the end of the deadline is accepted: its waiter does not wait forever")
  void atTheDeadline() {
    try (Background background = new Background()) {
      // Whether it is given out before the deadline is looked at is decided anew in each round.
      for (int given = 0; given < 10; ) {
        Factory factory = new Factory();
        JedisConnections connections = new JedisConnections("", factory, background, LIMITS);
        Optional<PooledObject<Connection>> taken = take(connections, factory);
        if (taken.isPresent()) {
          given++;
          connections.putBack(taken.get());
          assertSame(taken.get(), connections.takeIdle());
        }
        connections.close();
      }
    }
  }

  private static Optional<PooledObject<Connection>> take(JedisConnections from, Factory factory) {
    try {
      return Optional.of(
          from.take(
              new Conversation.Deadline(
                  () -> {
                    awaitReady(factory);
                    return 0; // it is over
                  },
                  0)));
    } catch (LockStoreException late) {
      return Optional.empty();
    }
  }

  private static void awaitReady(Factory factory) {
    try {
      factory.ready.await();
      Thread.yield();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
