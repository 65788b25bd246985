package dev.leasehold.redis.setnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.WakeUps;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.commons.pool2.PooledObject;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.Connection;

/**
 * Listens on the store's one channel, for all its locks: one thread and one connection, from the
 * first watch on. After a break it connects again, and wakes everybody since messages were missed.
 * Thread-safe.
 */
final class WakeListener implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Redis redis;
  private final byte[] channel;
  private final WakeUps wakeUps = new WakeUps();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private String label = "";

  /** Completes when the channel is listened to; a new one from each break to the next success. */
  private @Nullable CompletableFuture<Void> listening;

  private @Nullable Thread thread;
  private @Nullable Connection connection;
  private boolean closed;

  WakeListener(Redis redis, String storeId, KeySpace keys) {
    this.redis = redis;
    this.channel = keys.channelOf(storeId);
    redis.onNewPrimary(this::breakOff);
  }

  void start(StoreContext context) {
    label = context.label();
  }

  CompletionStage<Watch> watch(String name, Runnable wakeUp) {
    Watch watch = wakeUps.add(name, wakeUp);
    return WakeUps.onceListening(name, listening(), watch, Failures::of);
  }

  private CompletableFuture<Void> listening() {
    lock.lock();
    try {
      if (closed) {
        return CompletableFuture.failedFuture(new IllegalStateException("closed"));
      }
      if (listening == null) {
        listening = new CompletableFuture<>();
      }
      if (thread == null) {
        thread = new Thread(this::run, "leasehold-wake-" + label);
        thread.setDaemon(true);
        thread.start();
      }
      return listening;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    boolean everListened = false;
    while (true) {
      RuntimeException failure = listen();
      lock.lock();
      try {
        connection = null;
        CompletableFuture<Void> told = listening;
        everListened |= told == null || told.isDone();
        if (closed || !everListened) {
          // Where it never came to listening, whoever watches next tries again.
          thread = null;
          listening = null;
          changed.signalAll();
          if (told != null) {
            told.completeExceptionally(failure);
          }
          return;
        }
        if (told == null || told.isDone()) {
          listening = new CompletableFuture<>();
        }
        pause();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Listens until the connection breaks, or is broken off, and tells why. */
  private RuntimeException listen() {
    try {
      Connections node = redis.forMessages();
      PooledObject<Connection> mine = node.take(redis.deadline());
      try {
        return listen(mine.getObject());
      } finally {
        node.hangUp(mine); // not to be lent to others, whatever the server still sends
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
    long left = closed ? 0 : PAUSE.toNanos();
    try {
      while (!closed && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      // Nobody else has this thread; it ends when closed.
    }
  }

  /** Ends what listens now; it connects anew unless closed. */
  private void breakOff() {
    lock.lock();
    try {
      changed.signalAll();
      Connection current = connection;
      if (current != null) {
        redis.background.execute(() -> disconnect(current)); // TLS takes its leave, and may wait
      }
    } finally {
      lock.unlock();
    }
  }

  private static void disconnect(Connection connection) {
    try {
      connection.disconnect();
    } catch (RuntimeException e) {
      // Closed is closed.
    }
  }

  @Override
  public void close() {
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
      wakeUps.wake(new String(message, UTF_8));
    }

    /** The server confirms, at first and after each break: messages in between were missed. */
    @Override
    public void onSubscribe(byte[] to, int count) {
      CompletableFuture<Void> confirmed;
      lock.lock();
      try {
        confirmed = listening;
      } finally {
        lock.unlock();
      }
      // First the wake-ups, so that a watch that is complete is woken only for a reason.
      wakeUps.wakeAll();
      if (confirmed != null) {
        confirmed.complete(null);
      }
    }
  }
}
