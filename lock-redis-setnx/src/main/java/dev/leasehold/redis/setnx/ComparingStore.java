package dev.leasehold.redis.setnx;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.BlockingLeaseStore;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.setnx.Attempts.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

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

  /** Tries to acquire; calls {@link Attempts#beforeWriting} before it writes. */
  abstract AcquireResult ask(AcquireRequest request);

  /** As {@link MinimumHold#keep}; blocks. */
  abstract ReleaseResult keepNow(LeaseKey lease, Duration rest);

  @Override
  public final CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    return run(() -> keepNow(lease, rest));
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
