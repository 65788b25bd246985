package dev.leasehold.testkit.server;

import dev.leasehold.testkit.server.RedisServer.Capability;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** A server in a container, started through Testcontainers. */
final class ContainerServer implements RedisServer {
  static final Set<Capability> CAPABILITIES =
      Set.of(Capability.PAUSE, Capability.KILL, Capability.RESTART, Capability.OPTIONS);

  private static final String IMAGE = "redis:7.2-alpine";

  private final ServerOptions options;
  private final int port;
  private final ReentrantLock lock = new ReentrantLock();
  private Container container;
  private Optional<String> logAtClose = Optional.empty();

  private ContainerServer(ServerOptions options, int port) {
    this.options = options;
    this.port = port;
    this.container = launch();
  }

  static ContainerServer start(ServerOptions options) {
    if (options.tls().isPresent() || options.hasUnixSocket() || options.clock().isPresent()) {
      throw new UnsupportedOperationException(
          "A server in a container is started without TLS, Unix socket and clock shim. Choose"
              + " -D"
              + RedisServers.PROPERTY
              + "=embedded or path");
    }
    ContainerServer server = new ContainerServer(options, options.port().orElseGet(Ports::free));
    try {
      server.awaitReady();
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private Container launch() {
    // A fixed port, so that it stays the same over restarts.
    return Container.start(IMAGE, port, arguments());
  }

  private List<String> arguments() {
    List<String> arguments =
        new ArrayList<>(List.of("--bind", "0.0.0.0", "--protected-mode", "no", "--save", ""));
    arguments.addAll(List.of("--appendonly", options.hasAppendOnlyFile() ? "yes" : "no"));
    options.password().ifPresent(word -> arguments.addAll(List.of("--requirepass", word)));
    arguments.addAll(options.arguments());
    return arguments;
  }

  private void awaitReady() {
    long start = System.nanoTime();
    while (true) {
      try {
        call("PING");
        return;
      } catch (UncheckedIOException | RespConnection.ServerError e) {
        if (System.nanoTime() - start > ServerOptions.START_TIMEOUT.toNanos()) {
          throw new ServerException(
              "The server in the container does not answer within " + ServerOptions.START_TIMEOUT,
              e);
        }
        LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      }
    }
  }

  @Override
  public String host() {
    return container.host();
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String uri() {
    return "redis://" + host() + ":" + port;
  }

  @Override
  public Set<Capability> capabilities() {
    return CAPABILITIES;
  }

  @Override
  public ServerOptions options() {
    return options;
  }

  @Override
  public void pause() {
    container.pause();
  }

  @Override
  public void resume() {
    container.resume();
  }

  @Override
  public void kill() {
    lock.lock();
    try {
      if (container.isRunning()) {
        container.kill();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void restart(Data data) {
    if (data == Data.KEEP && !options.hasAppendOnlyFile()) {
      throw new IllegalStateException(
          uri() + " keeps no data: start it with ServerOptions.defaults().withAppendOnlyFile()");
    }
    lock.lock();
    try {
      kill();
      if (data == Data.KEEP) {
        container.startAgain();
      } else {
        container.remove();
        container = launch();
      }
      awaitReady();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public RespConnection connect(Duration timeout) {
    RespConnection connection = RespConnection.to(host(), port, timeout);
    return options.password().isEmpty()
        ? connection
        : connection.authenticated(List.of(options.password().get()));
  }

  @Override
  public String log() {
    lock.lock();
    try {
      return logAtClose.orElseGet(container::log);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (logAtClose.isEmpty()) {
        logAtClose = Optional.of(container.log());
        container.remove();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return IMAGE + " at " + uri();
  }
}
