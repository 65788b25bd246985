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
 * The ballots in use, by the engine's token. Each is kept for as long as it may be on a node or in
 * a queue. A later acquisition with the same engine's token gets a new token, never one that was
 * released. Thread-safe.
 */
final class Ballots {
  private static final int SECRET_BYTES = 16;

  /** How often leases that ended without a release are removed. */
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
   * The ballot to acquire with: the existing one, unless it was released or is for another view.
   *
   * @param view the kind of lock that it is for
   * @param again whether the token may have been used, released and forgotten before
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
      before.leftLines(); // the new ballot has its place in the queues now
    }
    return ballot;
  }

  /** The view of a token's ballot; null if there is none. */
  @Nullable View viewOf(LeaseKey origin) {
    Ballot known = current.get(origin.token());
    return known == null ? null : known.view;
  }

  /**
   * The ballot of a lease or a waiter.
   *
   * @param view the kind of lock, if there is no ballot yet
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
   * A ballot was refused and no node holds it. It is kept if it is in queues or another round has
   * begun; otherwise it is dropped, and the next acquisition gets a new token.
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

  /** The number of ballots, for tests. */
  int size() {
    return current.size();
  }

  void stop() {
    stopped = true;
    current.clear();
  }

  /** A token that is as unguessable as the first one, does not reveal it, and is never repeated. */
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
