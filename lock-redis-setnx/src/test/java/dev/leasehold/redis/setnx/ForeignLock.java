package dev.leasehold.redis.setnx;

import dev.leasehold.testkit.server.RespConnection;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;

/**
 * Clients that are not ours, written from the description of their formats: the same commands in
 * the same order. They share no code with the stores. One thread each.
 */
abstract class ForeignLock implements AutoCloseable {
  final RespConnection connection;
  final String key;
  final TurnedClock clock;
  private Runnable beforeTakeOver = () -> {};

  ForeignLock(RespConnection connection, String key, TurnedClock clock) {
    this.connection = connection;
    this.key = key;
    this.clock = clock;
  }

  /** Tries once. */
  abstract boolean tryLock(Duration timeout);

  abstract void unlock();

  /** Something that happens between its look at an expired lock and its take-over. */
  ForeignLock beforeTakeOver(Runnable intruder) {
    beforeTakeOver = intruder;
    return this;
  }

  final void intrude() {
    beforeTakeOver.run();
  }

  final boolean setnx(String value) {
    return connection.number("SETNX", key, value) == 1;
  }

  final Optional<String> get() {
    return connection.call("GET", key).map(Object::toString);
  }

  final Optional<String> getset(String value) {
    return connection.call("GETSET", key, value).map(Object::toString);
  }

  final void del() {
    connection.call("DEL", key);
  }

  @Override
  public void close() {
    connection.close();
  }

  /** Whole seconds as PHP's {@code time()} returns them. */
  final long seconds() {
    return clock.micros() / 1_000_000;
  }

  /** The PHP lock on Yii2's Redis connection. */
  static final class Yii2 extends ForeignLock {
    Yii2(RespConnection connection, String key, TurnedClock clock) {
      super(connection, key, clock);
    }

    @Override
    boolean tryLock(Duration timeout) {
      long end = seconds() + timeout.toSeconds();
      if (setnx(Long.toString(end))) {
        return true;
      }
      Optional<String> found = get();
      if (found.isEmpty() || !(seconds() > Long.parseLong(found.get()))) {
        return false;
      }
      intrude();
      return getset(Long.toString(seconds() + timeout.toSeconds())).equals(found);
    }

    /** Deletes a lock that is over. */
    boolean exists() {
      if (connection.number("EXISTS", key) == 0) {
        return false;
      }
      Optional<String> found = get();
      if (found.isPresent() && seconds() > Long.parseLong(found.get())) {
        del();
        return false;
      }
      return true;
    }

    @Override
    void unlock() {
      del();
    }
  }

  /** Redis-objects up to 1.3, with an expiration. */
  static final class OldRuby extends ForeignLock {
    private double end;

    OldRuby(RespConnection connection, String key, TurnedClock clock) {
      super(connection, key, clock);
    }

    private double now() {
      return clock.micros() / 1e6;
    }

    /** As Ruby prints a float. */
    private static String printed(double number) {
      String text = new BigDecimal(Double.toString(number)).toPlainString();
      return text.contains(".") ? text : text + ".0";
    }

    /** As Ruby's {@code to_f} reads one: whatever is no number is zero. */
    static double toFloat(String text) {
      return text.matches("\\d+(\\.\\d+)?") ? Double.parseDouble(text) : 0;
    }

    private String generated(Duration expiration) {
      end = now() + expiration.toNanos() / 1e9 + 1;
      return printed(end);
    }

    @Override
    boolean tryLock(Duration expiration) {
      if (setnx(generated(expiration))) {
        return true;
      }
      if (!(toFloat(get().orElse("")) < now())) {
        return false;
      }
      intrude();
      return toFloat(getset(generated(expiration)).orElse("")) < now();
    }

    @Override
    void unlock() {
      if (end > now()) {
        del();
      }
    }
  }

  /** Redis-objects from 1.4 on, with an expiration. */
  static final class NewRuby extends ForeignLock {
    private double end;

    NewRuby(RespConnection connection, String key, TurnedClock clock) {
      super(connection, key, clock);
    }

    @Override
    boolean tryLock(Duration expiration) {
      String millis = Long.toString(expiration.toMillis());
      end = seconds() + expiration.toMillis() / 1000.0;
      if (connection.call("SET", key, "", "PX", millis, "NX").isPresent()) {
        return true;
      }
      double old = OldRuby.toFloat(get().orElse(""));
      if (old == 0 || !(old < clock.micros() / 1e6)) {
        return false;
      }
      intrude();
      return connection.call("SET", key, "", "PX", millis).isPresent();
    }

    @Override
    void unlock() {
      if (end > clock.micros() / 1e6) {
        del();
      }
    }
  }

  /** Java articles. */
  static final class Millis extends ForeignLock {
    private long end;

    Millis(RespConnection connection, String key, TurnedClock clock) {
      super(connection, key, clock);
    }

    private long now() {
      return clock.micros() / 1000;
    }

    @Override
    boolean tryLock(Duration timeout) {
      end = now() + timeout.toMillis();
      if (setnx(Long.toString(end))) {
        return true;
      }
      Optional<String> found = get();
      if (found.isEmpty() || Long.parseLong(found.get()) >= now()) {
        return false;
      }
      intrude();
      return getset(Long.toString(end)).equals(found);
    }

    @Override
    void unlock() {
      if (now() <= end) {
        del();
      }
    }
  }

  /** Redis' page of SETNX. */
  static final class Seconds extends ForeignLock {
    private long end;

    Seconds(RespConnection connection, String key, TurnedClock clock) {
      super(connection, key, clock);
    }

    @Override
    boolean tryLock(Duration timeout) {
      end = seconds() + timeout.toSeconds() + 1;
      if (setnx(Long.toString(end))) {
        return true;
      }
      Optional<String> found = get();
      if (found.isEmpty() || !(seconds() > Long.parseLong(found.get()))) {
        return false;
      }
      intrude();
      return getset(Long.toString(end)).equals(found);
    }

    @Override
    void unlock() {
      if (seconds() <= end) {
        del();
      }
    }
  }
}
