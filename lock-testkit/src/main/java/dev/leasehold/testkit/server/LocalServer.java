package dev.leasehold.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server that is a child process of ours, on a free port of the loopback interface. */
final class LocalServer implements RedisServer {
  private static final Duration START = Duration.ofSeconds(20);
  private static final int TRIES = 5;
  private static final long POLL_MILLIS = 10;

  private final Path program;
  private final ServerOptions options;
  private final Path folder;
  private final int port;
  private Process process;

  private LocalServer(Path program, ServerOptions options, Path folder, int port, Process process) {
    this.program = program;
    this.options = options;
    this.folder = folder;
    this.port = port;
    this.process = process;
  }

  static LocalServer start(Path program, ServerOptions options) {
    try {
      Path folder = Folders.create("leasehold-redis");
      IllegalStateException failure = new IllegalStateException("not started");
      for (int i = 0; i < TRIES; i++) {
        int port = freePort(); // somebody else may take it before the server does: hence the tries
        try {
          Process process = launch(program, options, folder, port);
          return new LocalServer(program, options, folder, port, process);
        } catch (IllegalStateException e) {
          failure = e;
        }
      }
      Folders.delete(folder);
      throw failure;
    } catch (IOException e) {
      throw new UncheckedIOException("the server " + program + " could not be started", e);
    }
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static Process launch(Path program, ServerOptions options, Path folder, int port)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
    command.addAll(List.of("--save", "", "--dir", folder.toString(), "--daemonize", "no"));
    command.addAll(options.arguments());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
    builder.environment().putAll(options.environment());
    Process process = builder.start();
    Folders.remember(process);
    awaitReady(process, folder, port);
    return process;
  }

  private static void awaitReady(Process process, Path folder, int port) throws IOException {
    long end = System.nanoTime() + START.toNanos();
    while (!answers(port)) {
      if (!process.isAlive() || System.nanoTime() - end > 0) {
        process.destroyForcibly();
        throw new IllegalStateException(
            "the server at port "
                + port
                + " did not start: "
                + Files.readString(folder.resolve("log")));
      }
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while the server started", e);
      }
    }
  }

  private static boolean answers(int port) {
    try (RespConnection c = RespConnection.to("127.0.0.1", port, Duration.ofSeconds(2))) {
      return c.call("PING").filter("PONG"::equals).isPresent();
    } catch (UncheckedIOException notYet) {
      return false;
    } catch (RespConnection.ServerError error) {
      // It is up, but for loading its data; one that asks for a password is ready too.
      return !String.valueOf(error.getMessage()).startsWith("LOADING");
    }
  }

  @Override
  public String host() {
    return "127.0.0.1";
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.PAUSE, Capability.KILL);
  }

  @Override
  public String version() {
    return Versions.of(this);
  }

  @Override
  public synchronized void pause() {
    signal("STOP");
  }

  @Override
  public synchronized void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
      if (kill.waitFor() != 0) {
        throw new IllegalStateException("kill -" + name + " failed for " + process.pid());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  @Override
  public synchronized void restart(Data data) {
    kill();
    if (data == Data.LOSE) {
      deleteData();
    }
    try {
      process = launch(program, options, folder, port);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void deleteData() {
    @Nullable String[] names = folder.toFile().list();
    for (String name : names == null ? new String[0] : names) {
      if (name != null && !name.equals("log")) {
        Folders.delete(folder.resolve(name));
      }
    }
  }

  @Override
  public synchronized void close() {
    kill();
    Folders.delete(folder);
  }

  @Override
  public String toString() {
    return uri();
  }
}
