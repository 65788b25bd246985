package dev.leasehold.redisson;

import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Which servers have left so many calls unanswered that they are called only occasionally. Redisson
 * keeps what it sent until the answer arrives or the connection is closed, even if the call was
 * given up, so a server that hangs would fill the heap. Thread-safe.
 */
final class UnresponsiveServers {
  /** How many calls may be given up since a server's last answer; a few megabytes. */
  static final int MOST_GIVEN_UP = 1000;

  private static final Duration NOW_AND_THEN = Duration.ofMillis(100);

  /** Weak keys, since servers come and go in a cluster. */
  private final Map<Object, Server> servers = Collections.synchronizedMap(new WeakHashMap<>());

  private volatile Ticker ticker = Ticker.system();

  /** Sets the clock. */
  void by(Ticker time) {
    ticker = time;
  }

  /** The state of a server, by any object that identifies it. */
  Server of(@Nullable Object server) {
    return server == null ? new Server() : servers.computeIfAbsent(server, key -> new Server());
  }

  /** One server. */
  final class Server {
    private final AtomicInteger givenUp = new AtomicInteger();
    private final AtomicLong triedAt = new AtomicLong();

    /** Whether no call is to be sent now. */
    boolean isTooLong() {
      if (givenUp.get() < MOST_GIVEN_UP) {
        return false;
      }
      long now = ticker.nanos();
      long before = triedAt.get();
      return now - before < NOW_AND_THEN.toNanos() || !triedAt.compareAndSet(before, now);
    }

    /** A call that may have been sent was given up. */
    void gaveUp() {
      if (givenUp.incrementAndGet() == MOST_GIVEN_UP) {
        triedAt.set(ticker.nanos());
      }
    }

    /** The server has answered a call, whatever the answer. */
    void answered() {
      if (givenUp.get() != 0) {
        givenUp.set(0);
      }
    }
  }
}
