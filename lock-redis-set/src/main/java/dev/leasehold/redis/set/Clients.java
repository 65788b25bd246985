package dev.leasehold.redis.set;

import dev.leasehold.redis.common.ClientFailures;
import dev.leasehold.redis.common.ClientVersion;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.event.DefaultEventPublisherOptions;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** The configuration of the store's clients. */
final class Clients {
  /** In Lettuce from 7.0 on. */
  private static final boolean HAS_MAINTENANCE =
      isThere("io.lettuce.core.MaintNotificationsConfig");

  /** Turns Lettuce's exceptions into the store's. */
  static final ClientFailures FAILURES =
      new ClientFailures(RedisCommandExecutionException.class, RedisCommandTimeoutException.class);

  /** The longest pause between attempts to reconnect. */
  static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  private Clients() {}

  /**
   * Refuses a Lettuce that is too old.
   *
   * @throws dev.leasehold.lock.LockConfigurationException naming the version found and the one
   *     needed
   */
  static void checkVersion() {
    ClientVersion.check("Lettuce", version(), 6, 6);
  }

  /** The version in the manifest of the jar on the path. */
  static Optional<String> version() {
    return ClientVersion.ofPackage(RedisClient.class);
  }

  private static boolean isThere(String name) {
    try {
      Class.forName(name, false, RedisClient.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /**
   * Short, however long a server was away. Lettuce's default doubles up to 30 s, so that after an
   * outage the next attempt may be as far off as the outage was long.
   */
  private static Delay reconnectDelay() {
    return Delay.fullJitter(Duration.ofMillis(1), LONGEST_PAUSE, 5, TimeUnit.MILLISECONDS);
  }

  /** The threads and timers of an application's client, with a reconnect delay for locks. */
  static ClientResources beside(ClientResources application) {
    return ClientResources.builder() // these are shared, and not shut down with the copy
        .eventLoopGroupProvider(application.eventLoopGroupProvider())
        .eventExecutorGroup(application.eventExecutorGroup())
        .timer(application.timer())
        .eventBus(application.eventBus())
        .commandLatencyRecorder(application.commandLatencyRecorder())
        .commandLatencyPublisherOptions(DefaultEventPublisherOptions.disabled())
        .addressResolverGroup(application.addressResolverGroup())
        .socketAddressResolver(application.socketAddressResolver())
        .nettyCustomizer(application.nettyCustomizer())
        .tracing(application.tracing())
        .reconnectDelay(reconnectDelay())
        .build();
  }

  /** Threads and timers of a client of our own: few, and with a short reconnect delay. */
  static ClientResources resources() {
    return few().ioThreadPoolSize(2).build();
  }

  /** The same for a node of a quorum. */
  static ClientResources resources(NodeThreads threads) {
    return few().eventLoopGroupProvider(threads).build();
  }

  private static ClientResources.Builder few() {
    return ClientResources.builder()
        .computationThreadPoolSize(2)
        .commandLatencyRecorder(CommandLatencyRecorder.disabled())
        .reconnectDelay(reconnectDelay());
  }

  /**
   * Closes all connections that a client made, and waits for it. Not interruptible, since the
   * threads of a client whose shutdown was abandoned run forever. Keeps the interrupt.
   */
  static void end(AbstractRedisClient client) {
    client.shutdownAsync(0, 2, TimeUnit.SECONDS).handle((done, failure) -> true).join();
  }

  /** Ends the threads of a client of our own. Blocks. */
  static void shutDown(ClientResources resources) {
    resources.shutdown(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /** Options of a client of our own. */
  static ClientOptions options(Duration connectTimeout, SslOptions ssl) {
    ClientOptions.Builder options = ClientOptions.builder();
    if (HAS_MAINTENANCE) {
      MaintenanceEvents.off(options);
    }
    return forLocks(
        options
            .sslOptions(ssl)
            .socketOptions(SocketOptions.builder().connectTimeout(connectTimeout).build())
            .build());
  }

  /**
   * The given options, adapted to locks. Rejecting commands while disconnected also keeps Lettuce,
   * from 6.8 on, from resending a command after a break; with older versions {@link Unanswered}
   * does. The engine has command time-outs, so Lettuce needs none.
   */
  static ClientOptions forLocks(ClientOptions options) {
    return options
        .mutate()
        .autoReconnect(true)
        .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
        .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
        .build();
  }

  /** The address with a client name, unless it has one. */
  static RedisURI named(RedisURI uri, String name) {
    if (uri.getClientName() != null) {
      return uri;
    }
    RedisURI named = copy(uri);
    named.setClientName(name);
    return named;
  }

  private static RedisURI copy(RedisURI uri) {
    if (uri.getSentinels().isEmpty()) {
      return RedisURI.builder(uri).build();
    }
    RedisURI copy = new RedisURI(); // Lettuce's builder omits Sentinels
    copy.applySsl(uri);
    copy.applyAuthentication(uri);
    copy.setTimeout(uri.getTimeout());
    copy.setDatabase(uri.getDatabase());
    copy.setSentinelMasterId(uri.getSentinelMasterId());
    copy.getSentinels().addAll(uri.getSentinels());
    return copy;
  }

  /** Starts an operation on one of the client's threads that does not read replies. */
  static <T> CompletableFuture<T> onItsThreads(
      ClientResources resources, Supplier<? extends CompletionStage<T>> begin) {
    try {
      return CompletableFuture.supplyAsync(begin, resources.eventExecutorGroup())
          .thenCompose(Function.identity());
    } catch (RejectedExecutionException closed) {
      return CompletableFuture.failedFuture(closed);
    }
  }
}
