package dev.leasehold.lock.internal;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A store in memory, counting its calls, for the engine's own tests. */
public class MapStore implements MinimumHold {
  /** For hand-overs, whether they are wanted or not: here they cost nothing. */
  private static final int NUMBERS = 1023;

  private record Entry(String token, long end, long fence) {}

  private final Ticker ticker;
  private final Map<String, Entry> held = new HashMap<>();
  private long fences;
  int calls;
  int closed;
  private boolean refuses;
  private @Nullable Wrong wrong;
  private LockStoreException.@Nullable Kind releasesFail;

  /** What a store should not do, and some day does. */
  enum Wrong {
    ERROR,
    FAILED_WITH_ERROR,
    NULL_STAGE,
    NULL_ANSWER
  }

  /** An error, without a trace, for quieter logs. */
  static final class Trouble extends Error {
    private static final long serialVersionUID = 1L;

    Trouble() {
      super("of the test's,\nin two lines", null, false, false);
    }
  }

  /** Releases fail so from now on; they don't if null. */
  synchronized void releasesFail(LockStoreException.@Nullable Kind how) {
    releasesFail = how;
  }

  /** Every call goes wrong from now on; none if null. */
  synchronized void goWrong(@Nullable Wrong how) {
    wrong = how;
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private <T> @Nullable CompletionStage<T> wronged() {
    return switch (Objects.requireNonNull(wrong)) {
      case ERROR -> throw new Trouble();
      case FAILED_WITH_ERROR -> CompletableFuture.failedFuture(new Trouble());
      case NULL_STAGE -> null;
      case NULL_ANSWER -> CompletableFuture.completedFuture(null);
    };
  }

  public MapStore(Ticker ticker) {
    this.ticker = ticker;
  }

  private Optional<Entry> live(String name) {
    return Optional.ofNullable(held.get(name)).filter(e -> e.end - ticker.nanos() > 0);
  }

  private boolean isMine(LeaseKey key) {
    return live(key.name()).filter(e -> e.token.equals(key.token())).isPresent();
  }

  /** Acquisitions are refused from now on. */
  synchronized void refuse() {
    refuses = true;
  }

  @Override
  public synchronized CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    calls++;
    if (wrong != null) {
      return wronged();
    }
    if (refuses) {
      return CompletableFuture.failedFuture(
          new LockStoreException(LockStoreException.Kind.REFUSED, "no more"));
    }
    LeaseKey key = request.key();
    Optional<Entry> other = live(key.name()).filter(e -> !e.token.equals(key.token()));
    if (other.isPresent()) {
      return done(new AcquireResult.Held(Duration.ofNanos(other.get().end - ticker.nanos())));
    }
    long end = ticker.nanos() + request.ttl().toNanos();
    Entry mine = held.get(key.name());
    held.put(
        key.name(),
        mine != null && isMine(key)
            ? new Entry(key.token(), Math.max(mine.end, end), mine.fence)
            : new Entry(key.token(), end, fences += 1 + NUMBERS));
    long fence = held.get(key.name()).fence;
    return done(new AcquireResult.Granted(OptionalLong.of(fence), NUMBERS, request.ttl()));
  }

  @Override
  public synchronized List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    if (wrong != null) {
      calls++;
      List<CompletionStage<RenewResult>> all = new ArrayList<>();
      batch.forEach(request -> all.add(wronged()));
      return all;
    }
    return batch.stream().map(r -> done(renewOne(r))).toList();
  }

  private RenewResult renewOne(RenewRequest request) {
    calls++;
    LeaseKey key = request.key();
    if (!isMine(key)) {
      return RenewResult.NOT_OWNER;
    }
    Entry e = held.get(key.name());
    long end = Math.max(e.end, ticker.nanos() + request.ttl().toNanos());
    held.put(key.name(), new Entry(e.token, end, e.fence));
    return RenewResult.RENEWED;
  }

  @Override
  public synchronized CompletionStage<ReleaseResult> release(LeaseKey lease) {
    calls++;
    if (wrong != null) {
      return wronged();
    }
    if (releasesFail != null) {
      return CompletableFuture.failedFuture(new LockStoreException(releasesFail, "no release"));
    }
    if (!isMine(lease)) {
      return done(ReleaseResult.NOT_OWNER);
    }
    held.remove(lease.name());
    return done(ReleaseResult.RELEASED);
  }

  @Override
  public synchronized CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    calls++;
    LeaseKey tombstone = new LeaseKey(lease.name(), "-" + lease.token());
    if (isMine(lease)) {
      Entry mine = held.get(lease.name());
      long end = Math.min(mine.end, ticker.nanos() + rest.toNanos());
      held.put(lease.name(), new Entry(tombstone.token(), end, mine.fence));
    }
    return done(isMine(tombstone) ? ReleaseResult.KEPT : ReleaseResult.NOT_OWNER);
  }

  synchronized Duration left(String name) {
    return live(name).map(e -> Duration.ofNanos(e.end - ticker.nanos())).orElse(Duration.ZERO);
  }

  /** Whether a lease is renewed while it lasts: waits for the one or the other. */
  boolean isRenewed(String name) throws InterruptedException {
    for (Duration before = left(name), now; !before.isZero(); before = now) {
      Thread.sleep(2);
      now = left(name);
      if (now.compareTo(before) > 0) {
        return true;
      }
    }
    return false;
  }

  synchronized int calls() {
    return calls;
  }

  synchronized boolean isEmpty() {
    return held.isEmpty();
  }

  synchronized void forget() {
    held.clear();
  }

  synchronized void forgetOne(String name) {
    held.remove(name);
  }

  @Override
  public synchronized CompletionStage<Optional<StoredLease>> inspect(String name) {
    if (wrong != null) {
      return wronged();
    }
    return done(
        live(name)
            .map(
                e ->
                    new StoredLease(
                        e.token,
                        Duration.ofNanos(e.end - ticker.nanos()),
                        OptionalLong.of(e.fence))));
  }

  private static <T> CompletionStage<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }

  @Override
  public Set<Guarantee> guarantees() {
    return Set.of(
        Guarantee.OWNED, Guarantee.FENCING, Guarantee.SERVER_EXPIRY, Guarantee.MINIMUM_HOLD);
  }

  @Override
  public synchronized void close() {
    closed++;
  }
}
