package dev.leasehold.redis.setnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.BlockingLeaseStore;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.setnx.Attempts.Outcome;
import dev.leasehold.redis.setnx.Compare.Reads;
import dev.leasehold.redis.setnx.Compare.Seen;
import dev.leasehold.redis.setnx.Compare.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Common to the stores that use {@link Compare}. Thread-safe. */
abstract class ComparingStore extends BlockingLeaseStore implements MinimumHold {
  private final JedisRedis redis;
  private final Eviction eviction;

  /** Reads and writes. */
  final Compare compare;

  /** Acquisitions that a release may have to withdraw. */
  final Attempts attempts = new Attempts();

  /** A store that owns its {@link JedisRedis}. */
  ComparingStore(JedisRedis redis, WallClock clock, Eviction eviction) {
    this.redis = redis;
    this.compare = new Compare(redis, clock);
    this.eviction = eviction;
  }

  @Override
  public void start(StoreContext context) {
    super.start(context);
    redis.start(context);
    eviction.check(redis::memory);
  }

  /**
   * The refusal of a value that no client of the scheme writes, to be thrown in a conversation. Its
   * writer has other rules for when the lock is held: taking the lock would be wrong, and waiting
   * for it might never end.
   */
  static LockStoreException foreign(byte[] key, byte[] value, String wanted) {
    return new LockStoreException(
        Kind.REFUSED,
        "the key '%s' holds '%s', which is not %s; do clients of another scheme use it?"
            .formatted(new String(key, UTF_8), new String(value, UTF_8), wanted));
  }

  /** Tries to acquire, by {@link #taken}. */
  abstract AcquireResult ask(AcquireRequest request);

  /**
   * Acquires by comparing.
   *
   * @param refusal empty if the lock can be taken
   * @return empty if other clients had it each time; one of them may have it now
   */
  final <T> Optional<T> taken(
      LeaseKey lease,
      Reads reads,
      Function<Seen, Optional<T>> refusal,
      Function<Seen, Step<T>> take) {
    return compare.run(
        reads,
        refusal,
        seen -> {
          Optional<T> refused = refusal.apply(seen);
          if (refused.isPresent()) {
            return Step.leave(refused.get());
          }
          attempts.beforeWriting(lease);
          return take.apply(seen);
        });
  }

  /** As {@link MinimumHold#keep}; blocks. */
  abstract ReleaseResult keepNow(LeaseKey lease, Duration rest);

  @Override
  public final CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    return inTurn(List.of(lease), () -> keepNow(lease, rest));
  }

  @Override
  protected final AcquireResult acquireNow(AcquireRequest request) {
    LeaseKey lease = request.key();
    attempts.begin(lease);
    Outcome outcome = Outcome.UNKNOWN;
    try {
      AcquireResult result = ask(request);
      outcome = Outcome.KNOWN;
      return result;
    } catch (LockStoreException failure) {
      outcome = Outcome.of(failure);
      throw failure;
    } finally {
      attempts.end(lease, outcome);
    }
  }

  @Override
  public final void close() {
    redis.close();
  }
}
