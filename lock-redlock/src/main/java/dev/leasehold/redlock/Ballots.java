package dev.leasehold.redlock;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.StoreContext;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** Withdrawn ones, in the order in which they will be forgotten. */
  private final ConcurrentLinkedQueue<Remembered> remembered = new ConcurrentLinkedQueue<>();

  /** One timer forgets them all. */
  private final AtomicBoolean forgetting = new AtomicBoolean();

  private record Remembered(Ballot ballot, long until) {}

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
    // One that was refused meanwhile is forgotten: then the new one has the same token.
    if (before != null && !before.key.equals(ballot.key)) {
      replaced.accept(before);
    }
    return ballot;
  }

  private Ballot take(LeaseKey origin) {
    return current.compute(
        origin.token(),
        (token, known) -> {
          if (known != null && known.begin()) {
            return known;
          }
          Ballot made = make(origin, known == null ? 0 : known.generation + 1);
          made.begin();
          return made;
        });
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
    long until = context.ticker().nanos() + REMEMBERED.toNanos();
    ballot.rememberedUntil = until;
    remembered.add(new Remembered(ballot, until));
    forgetLater(REMEMBERED);
  }

  private void forgetLater(Duration delay) {
    if (!stopped && forgetting.compareAndSet(false, true)) {
      context.scheduler().schedule(delay, this::forgetOld);
    }
  }

  private void forgetOld() {
    forgetting.set(false);
    Remembered first = remembered.peek();
    while (first != null && context.ticker().nanos() - first.until >= 0) {
      if (first.ballot.rememberedUntil == first.until) {
        forget(first.ballot);
      }
      remembered.poll();
      first = remembered.peek();
    }
    if (first != null) {
      forgetLater(Duration.ofNanos(Math.max(1, first.until - context.ticker().nanos())));
    }
  }

  /**
   * Nothing of it is on any node, but perhaps in lines; it may ask again, if it does not already.
   */
  void refused(Ballot ballot, int round) {
    if (ballot.generation > 0) {
      remember(ballot); // its origin must not be used again
      return;
    }
    current.computeIfPresent(
        ballot.origin.token(),
        (token, known) -> known == ballot && ballot.round() == round ? null : known);
  }

  /** How many there are. */
  int size() {
    return current.size();
  }

  void stop() {
    stopped = true;
    current.clear();
    remembered.clear();
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
