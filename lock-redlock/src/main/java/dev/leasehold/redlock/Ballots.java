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
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The ballots under way, by the engine's token. Each stays for as long as it may be on a node or in
 * a line. One that is asked with again after that gets a new token, never one that was released.
 * Thread-safe.
 */
final class Ballots {
  private static final int SECRET_BYTES = 16;

  /** How often leases are looked for that ended, and that nobody released. */
  private static final Duration SWEEP = Duration.ofSeconds(30);

  private final StoreContext context;
  private final int nodes;
  private volatile boolean stopped;
  private final ConcurrentHashMap<String, Ballot> current = new ConcurrentHashMap<>();
  private final AtomicBoolean sweeping = new AtomicBoolean();

  Ballots(StoreContext context, int nodes) {
    this.context = context;
    this.nodes = nodes;
  }

  /**
   * The ballot to ask nodes with: the one that is there, unless it was given up, or is a lease of
   * something else.
   *
   * @param view what it is to be a lease of
   * @param again whether it was asked with before, and may have been given up and forgotten
   */
  Ballot toTake(LeaseKey origin, View view, boolean again) {
    Ballot before = current.get(origin.token());
    Ballot ballot =
        current.compute(
            origin.token(),
            (token, known) -> {
              if (known != null && known.view == view && known.begin()) {
                return known;
              }
              Ballot made = make(origin, known != null || again ? alias(origin) : origin, view);
              made.begin();
              return made;
            });
    sweepLater();
    if (before != null && before != ballot) {
      before.leftLines(); // this one stands there now, in the same place
    }
    return ballot;
  }

  /** What the ballot of a token is a lease of; null if there is none. */
  @Nullable View viewOf(LeaseKey origin) {
    Ballot known = current.get(origin.token());
    return known == null ? null : known.view;
  }

  /**
   * The ballot that a lease or a waiter has.
   *
   * @param view what it is a lease of, if that is not known
   */
  Ballot of(LeaseKey origin, View view) {
    Ballot known = current.get(origin.token());
    return known == null ? make(origin, origin, view).unknown() : known;
  }

  private Ballot make(LeaseKey origin, LeaseKey key, View view) {
    return new Ballot(origin, key, view, nodes, context, this::forget, () -> stopped);
  }

  private void forget(Ballot ballot) {
    current.remove(ballot.origin.token(), ballot);
  }

  /**
   * Nothing of it is on any node. It is kept if it stands in lines; else, if it does not ask again
   * already, the next time is with a new one.
   */
  void refused(Ballot ballot, int round) {
    current.computeIfPresent(
        ballot.origin.token(),
        (token, known) ->
            known == ballot && !ballot.isInLines() && ballot.round() == round ? null : known);
  }

  private void sweepLater() {
    if (!stopped && sweeping.compareAndSet(false, true)) {
      context.scheduler().schedule(SWEEP, this::sweep);
    }
  }

  private void sweep() {
    sweeping.set(false);
    long now = context.ticker().nanos();
    current.values().removeIf(ballot -> ballot.isOver(now));
    if (!current.isEmpty()) {
      sweepLater();
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

  /** As unguessable as the first token, of no use to learn it, and never the same twice. */
  private LeaseKey alias(LeaseKey origin) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest((origin.token() + '#' + context.random().nextLong()).getBytes(UTF_8));
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
