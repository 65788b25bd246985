package dev.leasehold.lock.spi;

/** A monotonic clock in nanoseconds of arbitrary origin, as {@link System#nanoTime()}. */
@FunctionalInterface
public interface Ticker {

  /** The current reading. Compare two readings only by their difference. */
  long nanos();

  /** The machine's monotonic clock. */
  static Ticker system() {
    return System::nanoTime;
  }
}
