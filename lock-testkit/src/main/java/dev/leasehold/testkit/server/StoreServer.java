package dev.leasehold.testkit.server;

import java.util.function.Supplier;

/**
 * Where a backend keeps its locks outside of this JVM, and what a rule can do to it. The server of
 * a store that is not on Redis implements this; it may leave out what it can't do, and the rules
 * that need it are not run. Everything here blocks until it is done. Thread-safe, but for calls
 * that contradict each other.
 */
public interface StoreServer extends AutoCloseable {

  /**
   * A server that runs already, of which the kit knows the address alone: it is neither stopped nor
   * closed. Names are fresh in each run, so others may use it meanwhile.
   */
  static StoreServer at(String uri) {
    return new StoreServer() {
      @Override
      public String uri() {
        return uri;
      }

      @Override
      public void close() {}
    };
  }

  /**
   * A server that is a process of this machine, used by this test alone: it is paused, killed and
   * started again by its process, and ends with this JVM at the latest.
   *
   * @param start starts it, and returns when it answers; called anew for each start, always to be
   *     reached by the same {@code uri}
   */
  static StoreServer ofProcess(String uri, String version, Supplier<Process> start) {
    return new StoreProcess(uri, version, start);
  }

  /** What the backend is given to reach it. It stays the same over restarts. */
  String uri();

  /** What the server is, for the report: {@code H2 2.4.240}. */
  default String version() {
    return "a server";
  }

  /** Whether it can be paused and go on. */
  default boolean canPause() {
    return false;
  }

  /** Whether it can be killed and started again. */
  default boolean canRestart() {
    return false;
  }

  /**
   * Stops the process as {@code kill -STOP} does: the kernel still takes connections and bytes,
   * nobody answers. Returns when it stands still.
   *
   * @throws UnsupportedOperationException unless {@link #canPause()}
   */
  default void pause() {
    throw new UnsupportedOperationException("this server can't be paused");
  }

  /**
   * Lets a paused process run on, as {@code kill -CONT} does.
   *
   * @throws UnsupportedOperationException unless {@link #canPause()}
   */
  default void resume() {
    throw new UnsupportedOperationException("this server can't be paused");
  }

  /**
   * Kills the process as {@code kill -9} does, and returns when it is gone. Killing a dead server
   * does nothing.
   *
   * @throws UnsupportedOperationException unless {@link #canRestart()}
   */
  default void kill() {
    throw new UnsupportedOperationException("this server can't be killed");
  }

  /**
   * Starts the server again at the same address, after killing it if it still runs, and returns
   * when it answers. It forgets what it held, where it can: that is the harder case.
   *
   * @throws UnsupportedOperationException unless {@link #canRestart()}
   */
  default void restart() {
    throw new UnsupportedOperationException("this server can't be started again");
  }

  /** Ends what was started. Closing again does nothing. */
  @Override
  void close();
}
