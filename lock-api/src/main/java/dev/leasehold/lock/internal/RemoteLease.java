package dev.leasehold.lock.internal;

import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseRenewer.RenewableLease;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One token's lease on the store. Local holds come and go over it by hand-over; operations on it go
 * one at a time. Fields without a word on it are guarded by the cell.
 */
final class RemoteLease implements RenewableLease {
  /** Factor between the store's fence and a fencing token: room for the count of hand-overs. */
  static final long HOLDS_PER_GRANT = 1024;

  final LockCell cell;
  final LeaseKey key;
  final OptionalLong fence;
  final long grantedAt;
  private final AtomicReference<CompletableFuture<?>> lastOperation =
      new AtomicReference<>(CompletableFuture.completedFuture(null));

  /** Written under the cell's mutex, read anywhere. */
  private volatile long deadline;

  private volatile Duration lease;
  private final Env env;

  int handOvers;

  /** Whether the renewer has it. */
  boolean kept;

  Scheduler.@Nullable Scheduled timer;
  long timerAt;

  RemoteLease(
      LockCell cell, Env env, LeaseKey key, OptionalLong fence, long deadline, Duration lease) {
    this.cell = cell;
    this.env = env;
    this.key = key;
    this.fence = fence;
    this.deadline = deadline;
    this.lease = lease;
    this.grantedAt = env.now();
  }

  OptionalLong fencingToken() {
    return tokenOf(fence, handOvers);
  }

  /**
   * The fencing token of a grant's hold: larger than those of earlier grants, whatever they passed.
   */
  static OptionalLong tokenOf(OptionalLong fence, int handOvers) {
    return fence.isPresent()
        ? OptionalLong.of(fence.getAsLong() * HOLDS_PER_GRANT + handOvers)
        : OptionalLong.empty();
  }

  long deadline() {
    return deadline;
  }

  /** Moves the deadline of a confirmed renewal; never back. */
  void confirmed(long newDeadline) {
    if (newDeadline - deadline > 0) {
      deadline = newDeadline;
    }
  }

  void renewFor(Duration lease) {
    this.lease = lease;
  }

  @Override
  public String lockName() {
    return key.name();
  }

  @Override
  public Duration lease() {
    return lease;
  }

  @Override
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, deadline - env.now()));
  }

  /** Runs an operation after those before it are done: one at a time, in order. */
  <T> CompletableFuture<T> inTurn(Supplier<CompletableFuture<T>> operation) {
    CompletableFuture<T> result = new CompletableFuture<>();
    CompletableFuture<?> before = Objects.requireNonNull(lastOperation.getAndSet(result));
    if (before.isDone()) {
      start(operation, result);
    } else {
      before.whenComplete((value, failure) -> start(operation, result));
    }
    return result;
  }

  /** Claims the turn for {@code result} if nothing is under way. */
  boolean claim(CompletableFuture<?> result) {
    CompletableFuture<?> before = Objects.requireNonNull(lastOperation.get());
    return before.isDone() && lastOperation.compareAndSet(before, result);
  }

  private static <T> void start(
      Supplier<CompletableFuture<T>> operation, CompletableFuture<T> result) {
    operation
        .get()
        .whenComplete(
            (value, failure) -> {
              if (failure == null) {
                result.complete(value);
              } else {
                result.completeExceptionally(failure);
              }
            });
  }

  /** Gives it back to the store; fails with {@link dev.leasehold.lock.LockException} only. */
  CompletableFuture<ReleaseResult> release() {
    return inTurn(() -> env.calls().send(key.name(), "release", () -> env.store().release(key)));
  }

  /**
   * Renews it once. The deadline that this confirms, counted from before sending; empty if the
   * token holds nothing; fails with {@link dev.leasehold.lock.LockException} only.
   */
  CompletableFuture<OptionalLong> renew(Duration ttl) {
    CompletableFuture<OptionalLong> confirmed = new CompletableFuture<>();
    RenewRequest request = new RenewRequest(key, ttl);
    long[] sentAt = new long[1];
    inTurn(
            () -> {
              sentAt[0] = env.now();
              return env.calls()
                  .send(key.name(), "renew", () -> env.store().renew(List.of(request)).get(0));
            })
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                confirmed.completeExceptionally(failure);
              } else {
                confirmed.complete(
                    answer == RenewResult.RENEWED
                        ? OptionalLong.of(Drift.deadline(sentAt[0], ttl))
                        : OptionalLong.empty());
              }
            });
    return confirmed;
  }
}
