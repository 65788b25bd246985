package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/** One lock on an {@link EveryOrderStore}'s server. */
final class EveryOrderLock {
  private static final String OTHER = "other:0";

  /** What the token of a lease that can be recalled ends with. */
  static final String RECALLABLE = "~";

  /** How many fencing numbers a grant reserves for hand-overs. */
  private static final int NUMBERS = 3;

  /** What a server does wrong, for twins. */
  enum Flaw {
    NONE,
    /** It grants a lock that another has. */
    GRANTS_HELD,
    /** It forgets which tokens were given up, and lets them take the lock when they come late. */
    GRANTS_RELEASED,
    /** Its fencing tokens do not grow. */
    SAME_FENCE,
    /** It says "held" of a free lock. */
    REFUSES_FREE,
    /** It answers each request with an error. */
    FAILS
  }

  private final Ticker ticker;
  private final boolean shared;
  private final Flaw flaw;
  private final Consumer<String> waker;

  /** The tokens that have the lock, each with the end of its lease; several only of readers. */
  private final Map<String, Long> holders = new LinkedHashMap<>();

  private final Set<String> line = new LinkedHashSet<>();
  private final Set<String> released = new HashSet<>();
  private boolean heldByOther;
  private long fence;
  private long fenceOfOther;

  /**
   * Creates a free lock.
   *
   * @param shared whether it has readers; then the client in another process is a writer
   * @param waker wakes the waiter with a token
   */
  EveryOrderLock(Ticker ticker, boolean shared, Flaw flaw, Consumer<String> waker) {
    this.ticker = ticker;
    this.shared = shared;
    this.flaw = flaw;
    this.waker = waker;
  }

  boolean isFree() {
    return holders.keySet().stream().noneMatch(this::has);
  }

  boolean has(String token) {
    Long end = holders.get(token);
    return end != null && end - ticker.nanos() > 0;
  }

  // ---- the client in another process ----

  boolean isHeldByOther() {
    return heldByOther;
  }

  /** That client acquires the free lock. */
  void otherTakes() {
    heldByOther = true;
    take(OTHER, Duration.ofDays(1), fence + 1 + NUMBERS);
    fenceOfOther = fence;
  }

  /** That client's last fencing token; zero if it had none. */
  long fenceOfOther() {
    return fenceOfOther;
  }

  void otherReleases() {
    heldByOther = false;
    free(OTHER);
  }

  // ---- requests ----

  boolean grants(String token) {
    boolean dead = released.contains(token) && flaw != Flaw.GRANTS_RELEASED;
    boolean free = flaw == Flaw.GRANTS_HELD || (shared ? !has(OTHER) : isFree());
    return !dead && flaw != Flaw.REFUSES_FREE && (free || has(token));
  }

  AcquireResult ask(AcquireRequest request) {
    String token = request.key().token();
    if (!grants(token)) {
      if (request.ifHeld() == IfHeld.ENQUEUE && !released.contains(token)) {
        line.add(token);
      }
      return held();
    }
    line.remove(token);
    take(token, request.ttl(), has(token) ? fence : fence + 1 + NUMBERS);
    return new AcquireResult.Granted(OptionalLong.of(fence - NUMBERS), NUMBERS, request.ttl());
  }

  AcquireResult.Held held() {
    Optional<String> one = holders.keySet().stream().filter(this::has).findFirst();
    long left = one.map(holders::get).orElse(ticker.nanos()) - ticker.nanos();
    return one.isPresent() && one.get().endsWith(RECALLABLE)
        ? AcquireResult.Held.recallable(Duration.ofNanos(left), one.get())
        : new AcquireResult.Held(Duration.ofNanos(left));
  }

  /** The last fencing token, or the last of those reserved with it. */
  long fence() {
    return fence;
  }

  void take(String token, Duration ttl, long newFence) {
    if (!shared && !has(token)) {
      holders.clear();
    }
    holders.merge(token, ticker.nanos() + ttl.toNanos(), Math::max);
    fence = flaw == Flaw.SAME_FENCE ? NUMBERS + 1 : newFence;
  }

  boolean renew(String token, Duration ttl) {
    boolean has = has(token);
    if (has) {
      take(token, ttl, fence);
    }
    return has;
  }

  ReleaseResult release(String token) {
    released.add(token);
    return free(token);
  }

  private ReleaseResult free(String token) {
    boolean had = has(token);
    holders.remove(token);
    if (!had) {
      return ReleaseResult.NOT_OWNER;
    }
    return wakeOne() ? ReleaseResult.RELEASED_AND_WOKE : ReleaseResult.RELEASED;
  }

  boolean leave(String token) {
    released.add(token);
    line.remove(token);
    return wakeOne();
  }

  private boolean wakeOne() {
    if (line.isEmpty() || !isFree()) {
      return false;
    }
    String next = line.iterator().next();
    line.remove(next);
    waker.accept(next);
    return true;
  }

  /** What is left of the clients; empty if nothing. */
  String leftovers() {
    return (isFree() ? "" : "holders " + holders.keySet() + " ")
        + (line.isEmpty() ? "" : "line " + line + " ");
  }
}
