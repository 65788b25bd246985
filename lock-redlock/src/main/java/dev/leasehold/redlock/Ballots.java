package dev.leasehold.redlock;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.StoreContext;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The ballots under way, by the engine's token. Thread-safe. */
final class Ballots {
  private static final int SECRET_BYTES = 16;

  /** Longer than any pause between two questions of a waiter. */
  private static final Duration REMEMBERED = Duration.ofSeconds(30);

  private final StoreContext context;
  private final int nodes;
  private volatile boolean stopped;
  private final ConcurrentHashMap<String, Ballot> current = new ConcurrentHashMap<>();

  private final ReentrantLock mutex = new ReentrantLock();

  /** The oldest first; the timer is set for that one. */
  private final Deque<Remembered> remembered = new ArrayDeque<>();

  /** A withdrawn ballot, and since when. */
  private record Remembered(Ballot ballot, long since) {}

  Ballots(StoreContext context, int nodes) {
    this.context = context;
    this.nodes = nodes;
  }

  /**
   * The ballot to ask nodes with: a new one if there is none, or none but a withdrawn one.
   *
   * @param replaced takes the withdrawn one
   */
  Ballot toTake(LeaseKey origin, Consumer<Ballot> replaced) {
    Ballot before = current.get(origin.token());
    Ballot ballot = take(origin);
    if (before != null && before != ballot) {
      replaced.accept(before);
    }
    return ballot;
  }

  private Ballot take(LeaseKey origin) {
    return current.compute(
        origin.token(),
        (token, known) ->
            known == null
                ? make(origin, 0)
                : known.isReleased() ? make(origin, known.generation + 1) : known);
  }

  /** The ballot that a lease or a waiter has. */
  Ballot of(LeaseKey origin) {
    Ballot known = current.get(origin.token());
    return known == null ? make(origin, 0).unknown() : known;
  }

  private Ballot make(LeaseKey origin, int generation) {
    return new Ballot(
        origin, generation, alias(origin, generation), nodes, context, this::gone, () -> stopped);
  }

  private void gone(Ballot ballot) {
    if (!ballot.isWithdrawn()) {
      forget(ballot); // the engine uses no token again that it has released
    }
  }

  private void forget(Ballot ballot) {
    current.remove(ballot.origin.token(), ballot);
  }

  /** Keeps a withdrawn ballot for a while, so that its token is not used again. */
  void remember(Ballot ballot) {
    ballot.withdraw();
    current.putIfAbsent(ballot.origin.token(), ballot);
    mutex.lock();
    try {
      remembered.add(new Remembered(ballot, context.ticker().nanos()));
      if (remembered.size() > 1) {
        return; // the timer is set for the one before
      }
    } finally {
      mutex.unlock();
    }
    context.scheduler().schedule(REMEMBERED, this::forgetOld);
  }

  /** One timer for all, however many there are. */
  private void forgetOld() {
    List<Ballot> old = new ArrayList<>();
    Duration next = Duration.ZERO;
    mutex.lock();
    try {
      while (!remembered.isEmpty()) {
        next = REMEMBERED.minusNanos(context.ticker().nanos() - remembered.getFirst().since);
        if (next.compareTo(Duration.ZERO) > 0) {
          break;
        }
        old.add(remembered.removeFirst().ballot);
      }
      if (!remembered.isEmpty()) {
        context.scheduler().schedule(next, this::forgetOld);
      }
    } finally {
      mutex.unlock();
    }
    old.forEach(this::forget);
  }

  /** Nothing of it is on any node, but perhaps in lines; it may ask again. */
  void refused(Ballot ballot) {
    if (ballot.generation == 0) {
      forget(ballot);
    } else {
      remember(ballot);
    }
  }

  /** How many there are. */
  int size() {
    return current.size();
  }

  void stop() {
    stopped = true;
    current.clear();
  }

  /** As unguessable as the first token, and of no use to learn it. */
  private static LeaseKey alias(LeaseKey origin, int generation) {
    if (generation == 0) {
      return origin;
    }
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest((origin.token() + '#' + generation).getBytes(UTF_8));
      String secret =
          Base64.getUrlEncoder()
              .withoutPadding()
              .encodeToString(Arrays.copyOf(digest, SECRET_BYTES));
      int colon = origin.token().indexOf(':');
      return new LeaseKey(origin.name(), origin.token().substring(0, colon + 1) + secret);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
