package dev.leasehold.testkit.server;

import dev.leasehold.testkit.server.RedisServer.Capability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** A server that is a child process of this JVM. */
final class ProcessServer implements RedisServer {
  private static final String HOST = "127.0.0.1";
  private static final int TRIES = 20;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(3);

  private final Binary binary;
  private final ServerOptions options;
  private final int port;
  private final Path folder;
  private final Path logFile;
  private final Optional<Path> socket;
  private final ReentrantLock lock = new ReentrantLock();
  private Process process;
  private Optional<String> logAtClose = Optional.empty();

  private ProcessServer(Binary binary, ServerOptions options, int port) {
    this.binary = binary;
    this.options = options;
    this.port = port;
    this.folder = ResourceReaper.directory("server");
    this.logFile = folder.resolve("server.log");
    this.socket =
        options.hasUnixSocket() ? Optional.of(ServerConfig.socket(folder)) : Optional.empty();
    Path config = ServerConfig.write(options, folder, port, socket);
    this.process = launch(config);
  }

  static ProcessServer start(Binary binary, ServerOptions options) {
    if (options.tls().isPresent() && !binary.tls()) {
      throw new UnsupportedOperationException(binary.path() + " was built without TLS");
    }
    for (int i = 1; ; i++) {
      int port = options.port().orElseGet(Ports::free);
      ProcessServer server = new ProcessServer(binary, options, port);
      try {
        server.awaitReady();
        return server;
      } catch (ServerException e) {
        boolean portTaken = isPortTaken(server.log());
        server.close();
        // Another process was faster: use another port, unless the options fixed this one.
        if (!portTaken || options.port().isPresent() || i == TRIES) {
          throw e;
        }
      }
    }
  }

  static Set<Capability> capabilitiesOf(Binary binary) {
    Set<Capability> all = EnumSet.of(Capability.KILL, Capability.RESTART, Capability.OPTIONS);
    if (!System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("windows")) {
      all.add(Capability.PAUSE);
      all.add(Capability.UNIX_SOCKET);
    }
    if (binary.tls()) {
      all.add(Capability.TLS);
    }
    return all;
  }

  private Process launch(Path config) {
    List<String> command = new ArrayList<>(List.of(binary.path().toString(), config.toString()));
    if (options.role() == ServerRole.SENTINEL) {
      command.add("--sentinel");
    }
    command.addAll(options.arguments());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile.toFile()));
    builder.environment().putAll(options.environment());
    try {
      Process started = builder.start();
      ResourceReaper.track(started, folder);
      started.getOutputStream().close();
      return started;
    } catch (IOException e) {
      throw new ServerException(binary.path() + " could not be started: " + e.getMessage(), e);
    }
  }

  private void awaitReady() {
    long start = System.nanoTime();
    String lastSeen = "nothing";
    while (process.isAlive()) {
      try (RespConnection connection = connect(ServerOptions.START_TIMEOUT)) {
        connection.call("PING");
        String info = connection.text("INFO", "server");
        if (isOurs(Info.field(info, "process_id").map(Long::valueOf))) {
          return;
        }
        // Another server has the port. Ours is about to exit because of that.
        lastSeen = "another server";
      } catch (UncheckedIOException | RespConnection.ServerError e) {
        // Not listening yet, or still loading its data.
        lastSeen = String.valueOf(e.getMessage());
      }
      if (System.nanoTime() - start > ServerOptions.START_TIMEOUT.toNanos()) {
        throw new ServerException(
            binary.path()
                + " does not answer within "
                + ServerOptions.START_TIMEOUT
                + "; the last thing seen was: "
                + lastSeen
                + ". Its log:\n"
                + log());
      }
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
    throw new ServerException(binary.path() + " ended at once. Its log:\n" + log());
  }

  /** Whether the process that answers is ours or was started by ours, a wrapper script. */
  private boolean isOurs(Optional<Long> pid) {
    return pid.isPresent()
        && (pid.get() == process.pid()
            || process.descendants().anyMatch(child -> child.pid() == pid.get()));
  }

  @Override
  public String host() {
    return HOST;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String uri() {
    return (options.tls().isPresent() ? "rediss://" : "redis://") + HOST + ":" + port;
  }

  @Override
  public Set<Capability> capabilities() {
    Set<Capability> all = EnumSet.copyOf(capabilitiesOf(binary));
    if (followsClock()) {
      all.add(Capability.CLOCK);
    }
    return Set.copyOf(all);
  }

  /** A statically linked program does not load the shim. */
  private boolean followsClock() {
    OptionalLong pid = pid();
    if (options.clock().isEmpty() || pid.isEmpty()) {
      return false;
    }
    try {
      return Files.readString(Path.of("/proc", "" + pid.getAsLong(), "maps"))
          .contains(options.clock().get().library().toString());
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public ServerOptions options() {
    return options;
  }

  @Override
  public OptionalLong pid() {
    lock.lock();
    try {
      if (!process.isAlive()) {
        return OptionalLong.empty();
      }
      // A wrapper script that did not exec the server has it as a child.
      return OptionalLong.of(
          process.descendants().findFirst().map(ProcessHandle::pid).orElse(process.pid()));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<Path> unixSocket() {
    return socket;
  }

  @Override
  public void pause() {
    Signals.pause(running());
  }

  @Override
  public void resume() {
    Signals.resume(running());
  }

  private long running() {
    if (!capabilities().contains(Capability.PAUSE)) {
      throw new UnsupportedOperationException("Processes can't be paused on this system");
    }
    return pid().orElseThrow(() -> new IllegalStateException(uri() + " does not run"));
  }

  @Override
  public void kill() {
    lock.lock();
    try {
      ResourceReaper.kill(process);
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
      if (logAtClose.isPresent()) {
        throw new IllegalStateException(uri() + " is closed");
      }
      ResourceReaper.kill(process);
      if (data == Data.LOSE) {
        ResourceReaper.delete(folder.resolve("appendonlydir"));
        ResourceReaper.delete(folder.resolve("appendonly.aof"));
        ResourceReaper.delete(folder.resolve("dump.rdb"));
      }
      launchAgain();
    } finally {
      lock.unlock();
    }
  }

  /** Starts it on the same port, which another process may be probing at this moment. */
  private void launchAgain() {
    for (int i = 1; ; i++) {
      int before = log().length();
      // Not rewritten: Sentinel stores its state in this file.
      process = launch(folder.resolve("server.conf"));
      try {
        awaitReady();
        return;
      } catch (ServerException e) {
        String said = log().substring(before);
        if (i == TRIES || process.isAlive() || !isPortTaken(said)) {
          throw e;
        }
      }
    }
  }

  private static boolean isPortTaken(String log) {
    return log.toLowerCase(Locale.ROOT).contains("bind:");
  }

  @Override
  public RespConnection connect(Duration timeout) {
    RespConnection connection =
        RespConnection.open(HOST, port, timeout, options.tls().map(TlsFiles::clientContext));
    return options.password().isEmpty()
        ? connection
        : connection.authenticated(List.of(options.password().get()));
  }

  @Override
  public String log() {
    lock.lock();
    try {
      return logAtClose.isPresent() ? logAtClose.get() : readLog();
    } finally {
      lock.unlock();
    }
  }

  private String readLog() {
    try {
      return new String(Files.readAllBytes(logFile), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (logAtClose.isEmpty()) {
        ResourceReaper.kill(process);
        logAtClose = Optional.of(readLog());
        ResourceReaper.delete(folder);
        socket.map(Path::getParent).ifPresent(ResourceReaper::delete);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return binary.path().getFileName() + " at " + uri();
  }
}
