package dev.leasehold.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/** A store's server that is a process on this machine: {@link StoreServer#ofProcess}. */
final class StoreProcess implements StoreServer {
  private final String uri;
  private final String version;
  private final Supplier<Process> start;
  private volatile Process process;

  StoreProcess(String uri, String version, Supplier<Process> start) {
    this.uri = uri;
    this.version = version;
    this.start = start;
    this.process = tracked(start.get());
  }

  private static Process tracked(Process started) {
    try {
      ResourceReaper.track(started, ResourceReaper.directory("store"));
      return started;
    } catch (IOException e) {
      started.destroyForcibly();
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String uri() {
    return uri;
  }

  @Override
  public String version() {
    return version;
  }

  @Override
  public boolean canPause() {
    return true;
  }

  @Override
  public boolean canRestart() {
    return true;
  }

  @Override
  public void pause() {
    Signals.pause(process.pid());
  }

  @Override
  public void resume() {
    Signals.resume(process.pid());
  }

  @Override
  public void kill() {
    ResourceReaper.kill(process);
  }

  @Override
  public void restart() {
    kill();
    process = tracked(start.get());
  }

  @Override
  public void close() {
    kill();
  }
}
