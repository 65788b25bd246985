package dev.leasehold.redis.set;

import dev.leasehold.redis.common.ClientVersion;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
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

/** How our clients are set up. */
final class Clients {
  /** From Lettuce 7.0 on. */
  private static final boolean HAS_MAINTENANCE =
      isThere("io.lettuce.core.MaintNotificationsConfig");

  private Clients() {}

  /**
   * Refuses a Lettuce that is too old.
   *
   * @throws dev.leasehold.lock.LockConfigurationException naming what was found and what is needed
   */
  static void checkVersion() {
    ClientVersion.check("Lettuce", version(), 6, 6);
  }

  /** What the jar says that is on the path. */
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

  /** Threads and timers of a client of our own: few, and quick to connect again. */
  static ClientResources resources() {
    return ClientResources.builder()
        .ioThreadPoolSize(2)
        .computationThreadPoolSize(2)
        .commandLatencyRecorder(CommandLatencyRecorder.disabled())
        .reconnectDelay(
            Delay.fullJitter(
                Duration.ofMillis(1), Duration.ofMillis(500), 5, TimeUnit.MILLISECONDS))
        .build();
  }

  /**
   * Closes all connections that a client made. Waits for it; not interruptible, since the threads
   * of a client whose end was given up run on for ever. Keeps the interrupt.
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
      Maintenance.off(options);
    }
    return forLocks(
        options
            .sslOptions(ssl)
            .socketOptions(SocketOptions.builder().connectTimeout(connectTimeout).build())
            .build());
  }

  /**
   * Options for locks, else as given. Rejecting while disconnected also keeps Lettuce, from 6.8 on,
   * from sending a command again after a break; before it, {@link Unanswered} does. The engine
   * times commands, so Lettuce need not.
   */
  static ClientOptions forLocks(ClientOptions options) {
    return options
        .mutate()
        .autoReconnect(true)
        .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
        .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
        .build();
  }

  /** Begins something on a thread of the client's that reads no answers. */
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
