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
 * Which servers have not answered for so many calls that they are asked only now and then: Redisson
 * keeps what it sent until the answer comes or the connection is closed, whether or not anybody
 * waits for it, so a server that hangs would fill the heap. Thread-safe.
 */
final class Silence {
  /** So many calls may be given up since a server's last answer; a few megabytes. */
  static final int MOST_GIVEN_UP = 1000;

  private static final Duration NOW_AND_THEN = Duration.ofMillis(100);

  /** Weakly, since servers come and go in a cluster. */
  private final Map<Object, Server> servers = Collections.synchronizedMap(new WeakHashMap<>());

  private volatile Ticker ticker = Ticker.system();

  /** Goes by this from now on. */
  void by(Ticker time) {
    ticker = time;
  }

  /** What is known of a server, by whatever tells it from others. */
  Server of(@Nullable Object server) {
    return server == null ? new Server() : servers.computeIfAbsent(server, key -> new Server());
  }

  /** One server. */
  final class Server {
    private final AtomicInteger givenUp = new AtomicInteger();
    private final AtomicLong triedAt = new AtomicLong();

    /** Whether a call is not to be sent now. */
    boolean isTooLong() {
      if (givenUp.get() < MOST_GIVEN_UP) {
        return false;
      }
      long now = ticker.nanos();
      long before = triedAt.get();
      return now - before < NOW_AND_THEN.toNanos() || !triedAt.compareAndSet(before, now);
    }

    /** A call was given up that may have been sent. */
    void gaveUp() {
      if (givenUp.incrementAndGet() == MOST_GIVEN_UP) {
        triedAt.set(ticker.nanos());
      }
    }

    /** It has answered a call, whatever the answer. */
    void answered() {
      if (givenUp.get() != 0) {
        givenUp.set(0);
      }
    }
  }
}
