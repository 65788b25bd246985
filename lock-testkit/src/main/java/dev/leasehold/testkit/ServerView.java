package dev.leasehold.testkit;

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
   * @param value the holder's token, or whatever a holder wrote
   * @param ttl time to live; empty if it has none
   */
  record Entry(String value, Optional<Duration> ttl) {}

  /** What is stored for a lock now; empty if nothing, or if it has expired. */
  Optional<Entry> look(String lockName);

  /** Removes a lock, whoever holds it. */
  void remove(String lockName);

  /** Puts a foreign holder there, whoever holds it now. */
  void put(String lockName, String value, Duration ttl);

  /** How many wait in the store's line; zero where there is none. */
  long waiters(String lockName);

  /** How many changes the store has made to any of its data so far; empty if it can't tell. */
  OptionalLong changes();

  @Override
  void close();
}
