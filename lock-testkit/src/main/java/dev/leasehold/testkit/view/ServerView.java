package dev.leasehold.testkit.view;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads and changes locks directly on the store, so that no rule has to rely on the lock under
 * test.
 */
public interface ServerView extends AutoCloseable {

  /**
   * The stored state of a lock.
   *
   * @param value the raw value: the holder's token, or whatever a holder wrote
   * @param ttl the remaining lease, by the key's TTL or, where the value contains the end of the
   *     lease, by the value and the server's time; empty if it never ends
   */
  record Entry(String value, Optional<Duration> ttl) {

    /** The remaining lease; some 292 years if it never ends. */
    public Duration left() {
      return ttl.orElse(Duration.ofNanos(Long.MAX_VALUE));
    }
  }

  /** The stored state of a lock; empty if there is none, or if it has expired. */
  Optional<Entry> look(String lockName);

  /** Removes a lock, whichever client holds it. */
  void remove(String lockName);

  /**
   * Sets a foreign holder in the format of the backend's stores, and replaces any other.
   *
   * @param holder its token, where the format has room for it
   */
  void put(String lockName, String holder, Duration ttl);

  /** Whether exactly this many waiters are in the store's line; by default there is no line. */
  default boolean hasWaiting(String lockName, long waiters) {
    return waiters == 0;
  }

  /** The number of changes to any data of the store so far; empty if unknown, the default. */
  default OptionalLong changes() {
    return OptionalLong.empty();
  }

  @Override
  void close();
}
