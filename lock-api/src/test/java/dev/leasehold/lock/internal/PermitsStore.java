package dev.leasehold.lock.internal;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A semaphore in memory, counting what it is asked. Its waiters hear of nothing. */
final class PermitsStore implements PermitStore {
  private static final Duration LONG = Duration.ofHours(1);

  private final Set<String> held = new HashSet<>();
  private final Set<String> line = new HashSet<>();
  private int asks;
  private int leaves;
  private int most;

  /** How many permits a lease was to keep, each time that some came back. */
  final List<Integer> kept = new CopyOnWriteArrayList<>();

  /** What that ends with, in place of an answer. */
  volatile @Nullable CompletableFuture<ReleaseResult> shrinksEnd;

  /** Until this is complete, questions hang. */
  volatile CompletableFuture<Void> questions = CompletableFuture.completedFuture(null);

  synchronized int asks() {
    return asks;
  }

  synchronized int leaves() {
    return leaves;
  }

  synchronized int held() {
    return held.size();
  }

  /** Tokens that stand in the line. */
  synchronized int waiting() {
    return line.size();
  }

  synchronized int most() {
    return most;
  }

  @Override
  public LeaseStore permits(int wanted, int of) {
    return new View(of);
  }

  private final class View implements LeaseStore {
    private final int of;

    View(int of) {
      this.of = of;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
      return questions.thenCompose(open -> acquired(request));
    }

    private CompletionStage<AcquireResult> acquired(AcquireRequest request) {
      synchronized (PermitsStore.this) {
        asks++;
        String token = request.key().token();
        if (held.size() < of || held.contains(token)) {
          held.add(token);
          line.remove(token);
          most = Math.max(most, held.size());
          return done(new AcquireResult.Granted(OptionalLong.empty(), request.ttl()));
        }
        if (request.ifHeld() == IfHeld.ENQUEUE) {
          line.add(token);
        }
        return done(new AcquireResult.Held(LONG));
      }
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      return batch.stream().map(request -> done(RenewResult.RENEWED)).toList();
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease) {
      synchronized (PermitsStore.this) {
        return done(held.remove(lease.token()) ? ReleaseResult.RELEASED : ReleaseResult.NOT_OWNER);
      }
    }

    @Override
    public CompletionStage<?> leave(LeaseKey waiter) {
      synchronized (PermitsStore.this) {
        leaves++;
        return done(line.remove(waiter.token()));
      }
    }

    @Override
    public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
      return done(() -> {});
    }

    @Override
    public CompletionStage<Optional<StoredLease>> inspect(String name) {
      return done(Optional.empty());
    }

    @Override
    public Set<Guarantee> guarantees() {
      return Set.of(Guarantee.OWNED, Guarantee.SERVER_EXPIRY, Guarantee.WAKE_UP);
    }

    @Override
    public void close() {}
  }

  private static <T> CompletionStage<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }

  @Override
  public synchronized CompletionStage<Permits> count(String name) {
    return done(new Permits(0, held.size()));
  }

  @Override
  public CompletionStage<?> resize(String name, int from, int to) {
    return done(to);
  }

  @Override
  public synchronized CompletionStage<ReleaseResult> shrink(LeaseKey lease, int keep) {
    kept.add(keep);
    CompletableFuture<ReleaseResult> end = shrinksEnd;
    if (end != null) {
      return end;
    }
    return done(held.contains(lease.token()) ? ReleaseResult.RELEASED : ReleaseResult.NOT_OWNER);
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return new View(1).acquire(request);
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return new View(1).renew(batch);
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return new View(1).release(lease);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    return done(Optional.empty());
  }

  @Override
  public Set<Guarantee> guarantees() {
    return Set.of(Guarantee.OWNED, Guarantee.SERVER_EXPIRY, Guarantee.PERMITS);
  }

  @Override
  public void close() {}
}
