package dev.leasehold.redisson;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.WaitStrategy;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.server.RedisReplication;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;
import org.redisson.config.SubscriptionMode;

/** Applications on one server, with plain Redisson or with us; all is closed at the end. */
final class Apps implements AutoCloseable {
  static final Duration LONG = Duration.ofMinutes(1);

  /** Asks again so seldom that only a message can explain why a waiter was quick. */
  static final LockOptions PATIENT =
      LockOptions.builder().fixedLease(LONG).waitStrategy(WaitStrategy.every(LONG)).build();

  /** For a busy machine, and long before a waiter would ask again or its lease is over. */
  static final Duration WELL_BEFORE = Duration.ofSeconds(20);

  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final RedisServer server;

  Apps() {
    server = closing(RedisServers.start());
  }

  RedisServer server() {
    return server;
  }

  <T extends AutoCloseable> T closing(T resource) {
    open.push(resource);
    return resource;
  }

  /** A client as an application would make it. */
  RedissonClient redisson() {
    return redisson(server.uri(), config -> config);
  }

  RedissonClient redisson(String uri, UnaryOperator<Config> changes) {
    Config config = new Config().setThreads(4).setNettyThreads(4);
    config
        .useSingleServer()
        .setAddress(uri)
        .setConnectionMinimumIdleSize(1)
        .setConnectionPoolSize(16)
        .setSubscriptionConnectionMinimumIdleSize(1);
    RedissonClient made = Redisson.create(changes.apply(config));
    open.push(() -> made.shutdown(0, 2, TimeUnit.SECONDS));
    return made;
  }

  /** A client of a primary with replicas, which are asked for nothing; the caller shuts it down. */
  static RedissonClient redisson(RedisReplication group, UnaryOperator<Config> changes) {
    Config config = new Config().setThreads(4).setNettyThreads(4);
    config
        .useMasterSlaveServers()
        .setMasterAddress(group.primary().uri())
        .setReadMode(ReadMode.MASTER)
        .setSubscriptionMode(SubscriptionMode.MASTER)
        .setMasterConnectionMinimumIdleSize(1)
        .setMasterConnectionPoolSize(4)
        .setSubscriptionConnectionMinimumIdleSize(1);
    return Redisson.create(changes.apply(config));
  }

  LockManager ours(RedissonMode mode) {
    return ours(redisson(), mode);
  }

  LockManager ours(RedissonClient on, RedissonMode mode) {
    return closing(RedissonLocks.over(on).mode(mode).manager());
  }

  /** How many connections listen to the messages of an unlock. */
  long listeners(String name) {
    return listenersOf("redisson_lock__channel:{" + name + "}");
  }

  long listenersOf(String channel) {
    List<?> reply = (List<?>) server.call("PUBSUB", "NUMSUB", channel).orElseThrow();
    return (Long) reply.get(1);
  }

  long inLine(String name) {
    return (Long) server.call("LLEN", "redisson_lock_queue:{" + name + "}").orElseThrow();
  }

  long ttl(String key) {
    return (Long) server.call("PTTL", key).orElseThrow();
  }

  /** Whether there is a value; else it is to be asked for again, on a busy machine. */
  static boolean succeeds(CompletionStage<?> stage) {
    return Await.value(stage.handle((answer, failure) -> failure == null));
  }

  /** How long it takes until there is a value. */
  static Duration took(CompletableFuture<?> value) {
    long begun = System.nanoTime();
    Await.value(value);
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  @Override
  public void close() {
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }
}
