package dev.leasehold.controls;

import dev.leasehold.testkit.view.ServerView;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** A view of a lock with a line in a sorted set. */
record WithLine(ServerView view, RedisCalls redis) implements ServerView {
  /** The key of a lock's line. */
  static String line(String name) {
    return name + ":line";
  }

  @Override
  public Optional<Entry> look(String lockName) {
    return view.look(lockName);
  }

  @Override
  public void remove(String lockName) {
    view.remove(lockName);
  }

  @Override
  public void put(String lockName, String holder, Duration ttl) {
    view.put(lockName, holder, ttl);
  }

  @Override
  public boolean hasWaiting(String lockName, long waiters) {
    return redis.number("ZCARD", line(lockName)) == waiters;
  }

  @Override
  public OptionalLong changes() {
    return view.changes();
  }

  @Override
  public void close() {
    redis.close();
    view.close();
  }
}
