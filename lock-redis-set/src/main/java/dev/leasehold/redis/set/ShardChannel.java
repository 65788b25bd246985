package dev.leasehold.redis.set;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.Publishing;
import dev.leasehold.redis.common.WakeChannel;
import dev.leasehold.redis.common.WakeUpDispatcher;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.cluster.pubsub.StatefulRedisClusterPubSubConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sharded pub/sub of a cluster: a channel for each watched name, in the slot of the lock, so that a
 * message stays on one node and the release learns how many received it. One connection to each
 * node that has watched names. After a break or a move of slots each channel is subscribed again.
 */
final class ShardChannel implements WakeChannel {
  private static final byte[] SPUBLISH = "SPUBLISH".getBytes(UTF_8);
  private static final byte[] MESSAGE = {};
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final LettuceCluster redis;
  private final byte[] storeId;
  private final KeySpace keys;

  /** Guards the connection. */
  private final ReentrantLock lock = new ReentrantLock();

  private final ConcurrentHashMap<String, Subscription> subscriptions = new ConcurrentHashMap<>();
  private final Set<StatefulRedisPubSubConnection<byte[], byte[]>> known =
      ConcurrentHashMap.newKeySet();
  private @Nullable CompletableFuture<StatefulRedisClusterPubSubConnection<byte[], byte[]>>
      connection;
  private volatile boolean closed;

  ShardChannel(LettuceCluster redis, String storeId, KeySpace keys) {
    this.keys = keys;
    this.redis = redis;
    this.storeId = storeId.getBytes(UTF_8);
    redis.onRefresh(this::follow);
  }

  /** A primary that hangs was replaced, but its connection is still open, and hears nothing. */
  private void follow() {
    subscriptions.forEach(
        (key, its) -> {
          String now = redis.nodeOf(its.channel);
          if (!its.nodeId.isEmpty() && !now.isEmpty() && !now.equals(its.nodeId)) {
            its.nodeId = now;
            subscribe(key, its);
          }
        });
  }

  /** A channel; its watches are counted in steps of the map. */
  private static final class Subscription {
    final byte[] channel;

    /** By message: empty, or ending in a waiter's token. */
    final WakeUpDispatcher wakeUps = new WakeUpDispatcher();

    final CompletableFuture<Void> first = new CompletableFuture<>();
    final AtomicBoolean begun = new AtomicBoolean();
    int watches;
    volatile @Nullable StatefulRedisPubSubConnection<byte[], byte[]> node;

    /** The id of the node where it is being subscribed; empty before. */
    volatile String nodeId = "";

    Subscription(byte[] channel) {
      this.channel = channel;
    }
  }

  @Override
  public Publishing publishing(String name) {
    return new Publishing(SPUBLISH, keys.shardChannelPrefix(name), MESSAGE, Publishing.COUNTS_ALL);
  }

  @Override
  public CompletionStage<Watch> watch(String name, Runnable wakeUp) {
    return watch(name, wakeUps -> wakeUps.add("", wakeUp));
  }

  @Override
  public CompletionStage<Watch> watchOwn(LeaseKey waiter, Runnable wakeUp) {
    return watch(waiter.name(), wakeUps -> wakeUps.addOwn("", waiter.token(), wakeUp));
  }

  @Override
  public CompletionStage<Watch> watchRecalls(LeaseKey lease, Runnable recalled) {
    return watch(lease.name(), wakeUps -> wakeUps.add(lease.token(), recalled));
  }

  private CompletionStage<Watch> watch(String name, Function<WakeUpDispatcher, Watch> adding) {
    byte[] prefix = keys.shardChannelPrefix(name);
    byte[] channel = new byte[prefix.length + storeId.length];
    System.arraycopy(prefix, 0, channel, 0, prefix.length);
    System.arraycopy(storeId, 0, channel, prefix.length, storeId.length);
    String key = new String(channel, UTF_8);
    Subscription mine =
        subscriptions.compute(
            key,
            (k, now) -> {
              Subscription its = now == null ? new Subscription(channel) : now;
              its.watches++;
              return its;
            });
    Watch listener = adding.apply(mine.wakeUps);
    Watch watch = once(() -> end(key, mine, listener));
    if (mine.begun.compareAndSet(false, true)) {
      subscribe(key, mine);
    }
    return WakeUpDispatcher.onceListening(name, mine.first, watch, Clients.FAILURES::of);
  }

  private static Watch once(Runnable end) {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    return () -> {
      if (ended.complete(null)) {
        end.run();
      }
    };
  }

  private void end(String key, Subscription mine, Watch listener) {
    listener.close();
    Subscription left =
        subscriptions.computeIfPresent(
            key, (k, now) -> now == mine && --mine.watches == 0 ? null : now);
    if (left != mine) {
      end(mine);
    }
  }

  private boolean isWanted(String key, Subscription subscription) {
    return !closed && subscriptions.get(key) == subscription;
  }

  /**
   * Subscribes. On failure, the first watch fails; a watch that was complete before is subscribed
   * again.
   */
  private void subscribe(String key, Subscription mine) {
    String nodeId = redis.nodeOf(mine.channel);
    mine.nodeId = nodeId;
    connected()
        .thenCompose(all -> all.getConnectionAsync(nodeId))
        .thenCompose(
            node -> {
              if (known.add(node)) {
                node.addListener(new Listener());
                node.addListener(new Breaks(node));
              }
              mine.node = node;
              return node.async().ssubscribe(mine.channel);
            })
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                if (isWanted(key, mine)) {
                  mine.wakeUps.wakeAll(); // earlier messages were missed
                  mine.first.complete(null);
                } else {
                  end(mine);
                }
              } else if (!mine.first.completeExceptionally(failure) && isWanted(key, mine)) {
                again(key, mine);
              }
            });
  }

  private void end(Subscription ended) {
    StatefulRedisPubSubConnection<byte[], byte[]> node = ended.node;
    if (node != null && node.isOpen()) {
      node.async().sunsubscribe(ended.channel);
    }
  }

  private void again(String key, Subscription mine) {
    redis.later(
        PAUSE,
        () -> {
          if (isWanted(key, mine)) {
            redis.refresh().whenComplete((done, failure) -> subscribe(key, mine));
          }
        });
  }

  private CompletableFuture<StatefulRedisClusterPubSubConnection<byte[], byte[]>> connected() {
    lock.lock();
    try {
      if (closed) {
        return CompletableFuture.failedFuture(new IllegalStateException("closed"));
      }
      if (connection == null || connection.isCompletedExceptionally()) {
        connection = redis.connectPubSub();
      }
      return connection;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock(); // no connection is begun after this returns
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    List<Subscription> pending = List.copyOf(subscriptions.values());
    subscriptions.clear();
    pending.forEach(
        s -> s.first.completeExceptionally(new IllegalStateException("the store was closed")));
  }

  private final class Listener extends RedisPubSubAdapter<byte[], byte[]> {
    @Override
    public void smessage(byte[] channel, byte[] message) {
      Subscription to = subscriptions.get(new String(channel, UTF_8));
      if (to != null) {
        to.wakeUps.wake(new String(message, UTF_8));
      }
    }

    /** By us, or by the server since the slot has moved: then it is subscribed again. */
    @Override
    public void sunsubscribed(byte[] channel, long count) {
      String key = new String(channel, UTF_8);
      Subscription moved = subscriptions.get(key);
      if (moved != null) {
        again(key, moved);
      }
    }
  }

  /**
   * Needed because Lettuce resubscribes by one command, which a cluster refuses for several slots.
   */
  private final class Breaks implements RedisConnectionStateListener {
    private final StatefulRedisPubSubConnection<byte[], byte[]> node;

    Breaks(StatefulRedisPubSubConnection<byte[], byte[]> node) {
      this.node = node;
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
      ofNode()
          .forEach(
              (key, its) -> {
                its.wakeUps.wakeAll(); // a recall may be missed now: idle leases are released
                again(key, its);
              });
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> back, SocketAddress address) {
      ofNode().forEach(ShardChannel.this::subscribe);
    }

    private Map<String, Subscription> ofNode() {
      Map<String, Subscription> its = new HashMap<>(subscriptions);
      its.values().removeIf(s -> s.node != node);
      return its;
    }
  }
}
