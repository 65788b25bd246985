package dev.leasehold.testkit.server;

import java.util.function.Supplier;

/**
 * Where a backend keeps its locks outside of this JVM, and what a rule can do to it. The server of
 * a store that is not based on Redis implements this; operations it cannot support are omitted, and
 * the rules that need them are not run. All methods block until they are done. Thread-safe, except
 * for calls that contradict each other.
 */
public interface StoreServer extends AutoCloseable {

  /**
   * A running server of which the kit knows only the address: it is neither stopped nor closed.
   * Lock names are fresh in each run, so it may be in use by others.
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
   * A server that is a process on this machine, used by this test only: it is suspended, killed and
   * restarted through its process, and ends with this JVM at the latest.
   *
   * @param start starts the server and returns once it answers; called for each start, and must
   *     always listen on the same {@code uri}
   */
  static StoreServer ofProcess(String uri, String version, Supplier<Process> start) {
    return new StoreProcess(uri, version, start);
  }

  /** The address given to the backend. It stays the same over restarts. */
  String uri();

  /** The server's product and version, for the report: {@code H2 2.4.240}. */
  default String version() {
    return "a server";
  }

  /** Whether it can be suspended and resumed. */
  default boolean canPause() {
    return false;
  }

  /** Whether it can be killed and restarted. */
  default boolean canRestart() {
    return false;
  }

  /**
   * Suspends the process as {@code kill -STOP} does: the kernel still accepts connections and data,
   * but there are no answers. Returns once it is stopped.
   *
   * @throws UnsupportedOperationException unless {@link #canPause()}
   */
  default void pause() {
    throw new UnsupportedOperationException("this server can't be paused");
  }

  /**
   * Resumes a suspended process, as {@code kill -CONT} does.
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
   * Restarts the server at the same address, killing it first if it is running; returns once it
   * answers. It loses its data if it can: that is the harder case.
   *
   * @throws UnsupportedOperationException unless {@link #canRestart()}
   */
  default void restart() {
    throw new UnsupportedOperationException("this server can't be started again");
  }

  /** Ends the server. Idempotent. */
  @Override
  void close();
}
