package dev.leasehold.testkit.view;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Looks at locks behind the backend's back, and changes them: the suite's own eyes and hands, so
 * that no rule has to believe the lock it checks.
 */
public interface ServerView extends AutoCloseable {

  /**
   * What is stored for a lock.
   *
   * @param value what is stored, as it stands there: the holder's token, or whatever a holder wrote
   * @param ttl for how long it is held yet, by the key's time to live or, where the value carries
   *     the end of the lease, by the value and the server's time; empty if it has no end
   */
  record Entry(String value, Optional<Duration> ttl) {

    /** Time to live; some 292 years where there is none. */
    public Duration left() {
      return ttl.orElse(Duration.ofNanos(Long.MAX_VALUE));
    }
  }

  /** What is stored for a lock now; empty if nothing, or if it has expired. */
  Optional<Entry> look(String lockName);

  /** Removes a lock, whoever holds it. */
  void remove(String lockName);

  /**
   * Puts a foreign holder there, whoever holds it now, as the backend's stores would write it.
   *
   * @param holder its token, where what is stored has room for it
   */
  void put(String lockName, String holder, Duration ttl);

  /** Whether exactly so many wait in the store's line; by default there is no line. */
  default boolean hasWaiting(String lockName, long waiters) {
    return waiters == 0;
  }

  /**
   * How many changes the store has made to any of its data so far; by default empty: it can't tell.
   */
  default OptionalLong changes() {
    return OptionalLong.empty();
  }

  @Override
  void close();
}
