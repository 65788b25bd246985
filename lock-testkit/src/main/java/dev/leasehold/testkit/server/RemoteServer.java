package dev.leasehold.testkit.server;

import java.util.Set;

/** A server that somebody else runs: nothing is started, nothing stopped. */
record RemoteServer(String host, int port) implements RedisServer {

  @Override
  public Set<Capability> capabilities() {
    return Set.of();
  }

  @Override
  public String version() {
    return Versions.of(this);
  }

  private static UnsupportedOperationException notOurs() {
    return new UnsupportedOperationException("this server is not the kit's: see capabilities()");
  }

  @Override
  public void pause() {
    throw notOurs();
  }

  @Override
  public void resume() {
    throw notOurs();
  }

  @Override
  public void kill() {
    throw notOurs();
  }

  @Override
  public void restart(Data data) {
    throw notOurs();
  }

  @Override
  public void close() {
    // not ours to end
  }
}
