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
 * The token states in use, by the engine's token. Each is kept for as long as it may be on a node
 * or in a queue. A later acquisition with the same engine's token gets a new token, never one that
 * was released. Thread-safe.
 */
final class TokenStates {
  private static final int SECRET_BYTES = 16;

  /** How often leases that ended without a release are removed. */
  private static final Duration SWEEP = Duration.ofSeconds(30);

  private final StoreContext context;
  private final int nodes;
  private final Recalls recalls;
  private volatile boolean stopped;
  private final ConcurrentHashMap<String, TokenState> current = new ConcurrentHashMap<>();
  private final AtomicBoolean sweeping = new AtomicBoolean();

  TokenStates(StoreContext context, int nodes, Recalls recalls) {
    this.context = context;
    this.nodes = nodes;
    this.recalls = recalls;
  }

  /**
   * The token state to acquire with: the existing one, unless it was released or is for another
   * view.
   *
   * @param view the kind of lock that it is for
   * @param again whether the token may have been used, released and forgotten before
   */
  TokenState toTake(LeaseKey origin, NodeView view, boolean again) {
    TokenState before = current.get(origin.token());
    TokenState tokenState =
        current.compute(
            origin.token(),
            (token, known) -> {
              if (known != null && known.view == view && known.begin()) {
                return known;
              }
              TokenState made = make(origin, known != null || again ? alias(origin) : origin, view);
              made.begin();
              return made;
            });
    sweepLater();
    if (before != tokenState) {
      recalls.follow(origin, tokenState.key);
    }
    if (before != null && before != tokenState) {
      before.leftLines(); // the new token state has its place in the queues now
    }
    return tokenState;
  }

  /** The view of a token's token state; null if there is none. */
  @Nullable NodeView viewOf(LeaseKey origin) {
    TokenState known = current.get(origin.token());
    return known == null ? null : known.view;
  }

  /**
   * The token state of a lease or a waiter.
   *
   * @param view the kind of lock, if there is no token state yet
   */
  TokenState of(LeaseKey origin, NodeView view) {
    TokenState known = current.get(origin.token());
    return known == null ? make(origin, origin, view).unknown() : known;
  }

  private TokenState make(LeaseKey origin, LeaseKey key, NodeView view) {
    return new TokenState(origin, key, view, nodes, context, this::forget, () -> stopped);
  }

  private void forget(TokenState tokenState) {
    current.remove(tokenState.origin.token(), tokenState);
  }

  /**
   * A token state was refused and no node holds it. It is kept if it is in queues or another round
   * has begun; otherwise it is dropped, and the next acquisition gets a new token.
   */
  void refused(TokenState tokenState, int round) {
    current.computeIfPresent(
        tokenState.origin.token(),
        (token, known) ->
            known == tokenState && !tokenState.isInLines() && tokenState.round() == round
                ? null
                : known);
  }

  private void sweepLater() {
    if (!stopped && sweeping.compareAndSet(false, true)) {
      context.scheduler().schedule(SWEEP, this::sweep);
    }
  }

  private void sweep() {
    sweeping.set(false);
    long now = context.ticker().nanos();
    current.values().removeIf(tokenState -> tokenState.isOver(now));
    if (!current.isEmpty()) {
      sweepLater();
    }
  }

  /** The number of token states, for tests. */
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
      String token = origin.token().substring(0, colon + 1) + secret;
      return recalls.inPlaceOf(origin, new LeaseKey(origin.name(), token));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
