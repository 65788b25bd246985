package dev.leasehold.benchmarks;

/** A subject of measurement: takes and releases locks by name. Thread-safe. */
interface Subject extends AutoCloseable {
  String name();

  /** A lock of this name. Each thread asks for its own. */
  Pair on(String key);

  /** How many pairs a round has: fewer where each takes long. */
  default int pairs(Effort effort) {
    return effort.pairs();
  }

  /** Takes the lock, waiting for it, and releases it. */
  @FunctionalInterface
  interface Pair {
    void run() throws Exception;
  }

  @Override
  default void close() {}
}
