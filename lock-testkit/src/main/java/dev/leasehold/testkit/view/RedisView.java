package dev.leasehold.testkit.view;

import dev.leasehold.testkit.server.RespConnection;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/** A view of a Redis server that stores locks as strings or hashes. Thread-safe. */
public final class RedisView implements ServerView {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final String CHANGES = "rdb_changes_since_last_save:";

  private final ReentrantLock mutex = new ReentrantLock();
  private final RespConnection connection;
  private final KeyLayout layout;
  private final ValueForm form;

  /** For values that are the holders' tokens. */
  public RedisView(String address, KeyLayout layout) {
    this(address, layout, ValueForm.TOKEN);
  }

  /** Connects; blocks for a few seconds at most. */
  public RedisView(String address, KeyLayout layout, ValueForm form) {
    URI uri = URI.create(address);
    this.connection = RespConnection.to(uri.getHost(), uri.getPort(), PATIENCE);
    this.layout = layout;
    this.form = form;
  }

  private Optional<Object> call(String... words) {
    mutex.lock();
    try {
      return connection.call(words);
    } finally {
      mutex.unlock();
    }
  }

  private long number(String... words) {
    return call(words).map(n -> (Long) n).orElse(0L);
  }

  /** The server's time since 1970. */
  private Duration now() {
    List<?> time = (List<?>) call("TIME").orElseThrow();
    return Duration.ofSeconds(Long.parseLong(time.get(0).toString()))
        .plusNanos(Long.parseLong(time.get(1).toString()) * 1000);
  }

  @Override
  public Optional<Entry> look(String lockName) {
    String key = layout.lock(lockName);
    Optional<?> value = layout.isHash() ? holder(key) : call("GET", key);
    long ttl = number("PTTL", key); // -2: it has gone meanwhile; -1: it has no TTL
    if (value.isEmpty() || ttl == -2) {
      return Optional.empty();
    }
    Optional<Duration> left = ttl < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(ttl));
    return form.read(value.get().toString(), left, form.endsByTimeToLive() ? Duration.ZERO : now());
  }

  private Optional<?> holder(String key) {
    return call("HKEYS", key).flatMap(all -> ((List<?>) all).stream().findFirst());
  }

  @Override
  public void remove(String lockName) {
    call("DEL", layout.lock(lockName));
  }

  @Override
  public void put(String lockName, String holder, Duration ttl) {
    String key = layout.lock(lockName);
    if (layout.isHash()) {
      call("DEL", key);
      call("HSET", key, holder, "1");
      call("PEXPIRE", key, Long.toString(ttl.toMillis()));
    } else if (form.endsByTimeToLive()) {
      call("SET", key, holder, "PX", Long.toString(ttl.toMillis()));
    } else {
      call("SET", key, form.write(holder, ttl, now()));
    }
  }

  @Override
  public boolean hasWaiting(String lockName, long waiters) {
    String count = layout.isHash() ? "LLEN" : "ZCARD";
    return waiters == layout.waiters(lockName).map(key -> number(count, key)).orElse(0L);
  }

  @Override
  public OptionalLong changes() {
    return call("INFO", "persistence")
        .map(Object::toString)
        .orElse("")
        .lines()
        .filter(line -> line.startsWith(CHANGES))
        .mapToLong(line -> Long.parseLong(line.substring(CHANGES.length()).strip()))
        .findFirst();
  }

  @Override
  public void close() {
    connection.close();
  }
}
