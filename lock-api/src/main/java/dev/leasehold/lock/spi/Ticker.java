package dev.leasehold.lock.spi;

/** A monotonic clock in nanoseconds of arbitrary origin, as {@link System#nanoTime()}. */
@FunctionalInterface
public interface Ticker {

  /** Now. Compare two readings by their difference only. */
  long nanos();

  /** The machine's monotonic clock. */
  static Ticker system() {
    return System::nanoTime;
  }
}
