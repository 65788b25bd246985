package dev.leasehold.redis.set;

import dev.leasehold.redis.common.ChannelListening;
import dev.leasehold.redis.common.KeySpace;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One channel for the whole store; the message is the lock's name. Connects at the first watch, and
 * stays connected.
 */
final class StoreChannel extends ChannelListening {
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final LettuceRedis redis;
  private final byte[] channel;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable StatefulRedisPubSubConnection<byte[], byte[]> connection;
  private boolean closed;

  StoreChannel(LettuceRedis redis, String storeId, KeySpace keys, byte[] counts) {
    super(keys, counts, Clients.FAILURES::of);
    this.redis = redis;
    this.channel = keys.channelOf(storeId);
    redis.onNewPrimary(this::primaryMayHaveMoved);
    redis.silence().onBreak(this::primaryMayHaveMoved); // this one may be to the same server
  }

  @Override
  protected void begin() {
    connect()
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                giveUp(failure);
              }
            });
  }

  /** Opens a connection that replaces the current one, and subscribes on it. */
  private CompletionStage<Void> connect() {
    return redis
        .connectPubSub()
        .thenCompose(
            made -> {
              StatefulRedisPubSubConnection<byte[], byte[]> before = replace(made);
              made.addListener(new Listener());
              made.addListener(new Breaks(made));
              return made.async()
                  .subscribe(channel)
                  .whenComplete(
                      (done, failure) -> {
                        if (before != null) { // also if it failed: nothing else refers to it
                          before.closeAsync();
                        }
                      });
            });
  }

  private @Nullable StatefulRedisPubSubConnection<byte[], byte[]> replace(
      StatefulRedisPubSubConnection<byte[], byte[]> made) {
    lock.lock();
    try {
      if (!closed) {
        StatefulRedisPubSubConnection<byte[], byte[]> before = connection;
        connection = made;
        return before;
      }
    } finally {
      lock.unlock();
    }
    made.closeAsync();
    throw new IllegalStateException("closed");
  }

  /**
   * The primary may have changed. A demoted primary closes command connections but not those of
   * subscribers, which would remain subscribed at a replica: messages still arrive there, but a
   * release does not count them as receivers. So this subscribes again at the current primary.
   */
  private void primaryMayHaveMoved() {
    lock.lock();
    try {
      if (closed || connection == null) {
        return;
      }
    } finally {
      lock.unlock();
    }
    connect()
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                redis.later(PAUSE, this::primaryMayHaveMoved);
              }
            });
  }

  /** Drops the connection; the next watch connects again. */
  private void giveUp(Throwable failure) {
    StatefulRedisPubSubConnection<byte[], byte[]> broken;
    lock.lock();
    try {
      broken = connection;
      connection = null;
    } finally {
      lock.unlock();
    }
    if (broken != null) {
      broken.closeAsync();
    }
    failed(failure);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    super.close();
  }

  private final class Listener extends RedisPubSubAdapter<byte[], byte[]> {
    @Override
    public void message(byte[] from, byte[] message) {
      StoreChannel.this.message(message);
    }

    @Override
    public void subscribed(byte[] to, long count) {
      confirmed();
    }
  }

  private final class Breaks implements RedisConnectionStateListener {
    private final StatefulRedisPubSubConnection<byte[], byte[]> mine;

    Breaks(StatefulRedisPubSubConnection<byte[], byte[]> mine) {
      this.mine = mine;
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
      lock.lock();
      try {
        if (!closed && connection == mine) {
          // Under the lock, so that it does not come after the next connection's confirmation.
          broken();
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
