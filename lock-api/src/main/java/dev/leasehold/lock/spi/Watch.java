package dev.leasehold.lock.spi;

/** A subscription to the wake-ups of one name; see {@link LeaseStore#watch}. */
@FunctionalInterface
public interface Watch extends AutoCloseable {

  /** A watch that never wakes. */
  Watch NONE = () -> {};

  /** Stops listening. Does not block; idempotent. */
  @Override
  void close();
}
