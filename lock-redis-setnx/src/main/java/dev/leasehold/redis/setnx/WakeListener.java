package dev.leasehold.redis.setnx;

import dev.leasehold.redis.common.ChannelListening;
import dev.leasehold.redis.common.KeySpace;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.pool2.PooledObject;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.Connection;

/**
 * The subscription to the store's one channel, for all its locks: one thread and one connection,
 * from the first watch on. After a break it reconnects and wakes all waiters, since messages were
 * missed. Thread-safe.
 */
final class WakeListener extends ChannelListening {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final JedisRedis redis;
  private final byte[] channel;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private @Nullable Thread thread;
  private @Nullable Connection connection;
  private boolean closed;

  WakeListener(JedisRedis redis, String storeId, KeySpace keys) {
    super(keys, redis.counts(), JedisClients.FAILURES::of);
    this.redis = redis;
    this.channel = keys.channelOf(storeId);
    redis.onNewPrimary(this::breakOff);
  }

  @Override
  protected void begin() {
    try {
      startThread();
    } catch (Error noThread) { // such as "unable to create native thread"
      failed(noThread); // the next watch tries again
    }
  }

  private void startThread() {
    lock.lock();
    try {
      if (thread == null && !closed) {
        Thread started = redis.background.thread("wake", this::run);
        started.start();
        thread = started;
      }
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    boolean everListened = false;
    while (true) {
      RuntimeException failure = listen();
      everListened |= isConfirmed();
      if (isOver(everListened)) {
        failed(failure); // the next watch tries again
        return;
      }
      broken();
      pause();
    }
  }

  private boolean isOver(boolean everListened) {
    lock.lock();
    try {
      connection = null;
      if (everListened && !closed) {
        return false;
      }
      thread = null;
      changed.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Listens until the connection breaks or is closed, and returns the reason. */
  private RuntimeException listen() {
    try {
      JedisConnections node = redis.node();
      PooledObject<Connection> mine = node.take(redis.deadline());
      try {
        return listen(mine.getObject());
      } finally {
        node.hangUp(mine); // not to be reused, whatever the server still sends
      }
    } catch (RuntimeException e) {
      return e;
    }
  }

  private RuntimeException listen(Connection mine) {
    lock.lock();
    try {
      if (closed) {
        return new IllegalStateException("closed");
      }
      connection = mine;
    } finally {
      lock.unlock();
    }
    new Subscriber().proceed(mine, channel);
    return new IllegalStateException("the server ended the subscription");
  }

  private void pause() {
    lock.lock();
    try {
      long left = PAUSE.toNanos();
      while (!closed && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      // This thread is not shared; it ends when closed.
    } finally {
      lock.unlock();
    }
  }

  /** Ends the current subscription; it reconnects unless closed. */
  private void breakOff() {
    lock.lock();
    try {
      changed.signalAll();
      Connection current = connection;
      if (current != null) {
        redis.background.execute(() -> disconnect(current)); // TLS may block here
      }
    } finally {
      lock.unlock();
    }
  }

  private static void disconnect(Connection connection) {
    try {
      connection.disconnect();
    } catch (RuntimeException e) {
      // It is closed in any case.
    }
  }

  @Override
  public void close() {
    super.close();
    lock.lock();
    try {
      closed = true;
      breakOff();
      long left = PATIENCE.toNanos();
      while (thread != null && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  private final class Subscriber extends BinaryJedisPubSub {
    @Override
    public void onMessage(byte[] from, byte[] message) {
      WakeListener.this.message(message);
    }

    @Override
    public void onSubscribe(byte[] to, int count) {
      confirmed();
    }
  }
}
