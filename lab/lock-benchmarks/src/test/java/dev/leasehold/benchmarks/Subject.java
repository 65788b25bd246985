package dev.leasehold.benchmarks;

/** What is measured: something that takes a lock of a name and gives it back. Thread-safe. */
interface Subject extends AutoCloseable {
  String name();

  /** A lock of this name. Each thread asks for its own. */
  Pair on(String key);

  /** Takes the lock, waiting for it, and gives it back. */
  @FunctionalInterface
  interface Pair {
    void run() throws Exception;
  }

  @Override
  default void close() {}
}
