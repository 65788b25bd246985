package dev.leasehold.lock.internal.handle;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.internal.calls.CallerThreads;
import dev.leasehold.lock.internal.calls.LockNames;
import dev.leasehold.lock.internal.calls.ReleaseStrategy;
import dev.leasehold.lock.internal.calls.StoreContract;
import dev.leasehold.lock.internal.hold.Hold;
import dev.leasehold.lock.internal.hold.HoldEntry;
import dev.leasehold.lock.internal.name.Monitor;
import dev.leasehold.lock.internal.threads.Waits;
import dev.leasehold.lock.spi.Setting;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The result of an acquisition: one handle over a hold. Only the application refers to it; the
 * engine keeps only its {@link HoldEntry}.
 */
public final class LeaseHandle implements Lease {
  private final HoldCalls calls;
  private final HoldEntry entry;

  /** The hold's tether, which is reachable as long as an unreleased handle is. */
  @SuppressWarnings("UnusedVariable") // only the reference matters
  private @Nullable Object tether;

  private volatile @Nullable CompletionStage<LeaseLoss> lost;

  /** Creates the only handle of an entry. */
  public LeaseHandle(HoldCalls calls, HoldEntry entry) {
    this.calls = calls;
    this.entry = entry;
    this.tether = entry.takeTether();
  }

  public HoldEntry entry() {
    return entry;
  }

  public HoldCalls calls() {
    return calls;
  }

  private Hold hold() {
    return entry.hold;
  }

  private Monitor monitor() {
    return entry.hold.monitor();
  }

  @Override
  public String lockName() {
    return monitor().name();
  }

  @Override
  public long fencingToken() {
    return token()
        .orElseThrow(
            () ->
                new UnsupportedOperationException(
                    StoreContract.withoutFence(
                        hold().remote.spec.store(), monitor().services().guarantees())));
  }

  /** Returns its fencing token, if it has one. */
  public OptionalLong token() {
    return entry.token();
  }

  /** Raises its fencing token to a number that the store drew for it and other leases together. */
  public void raise(long number) {
    calls.raise(entry, number);
  }

  @Override
  public List<Integer> slots() {
    return hold().remote.slots;
  }

  @Override
  public Duration remaining() {
    return Duration.ofNanos(isValid() ? Math.max(0, hold().deadline() - monitor().now()) : 0);
  }

  @Override
  public boolean isValid() {
    return entry.isValid();
  }

  @Override
  public int holdCount() {
    return isValid() ? calls.count(hold()) : 0;
  }

  @Override
  public boolean extend(Duration lease) {
    LockNames.checkRange("lease", lease, Duration.ofNanos(1), LockOptions.LONGEST_LEASE);
    return Waits.join(calls.extend(entry, lease));
  }

  @Override
  public CompletionStage<LeaseLoss> lost() {
    CompletionStage<LeaseLoss> mine = lost;
    if (mine == null) {
      // One stage for all calls: each further one would stay attached to the signal during the
      // hold.
      mine = LossStage.of(this, new LossFuture(loss()));
      lost = mine;
    }
    return mine;
  }

  /** Returns the engine's own signal of its loss, which does not keep the handle reachable. */
  public CompletableFuture<LeaseLoss> loss() {
    return calls.lossOf(entry);
  }

  @Override
  public void ensureValid() {
    if (!isValid()) {
      throw new LeaseLostException(calls.whyInvalid(entry));
    }
  }

  @Override
  public void release() {
    CallerThreads callers = calls.callers();
    Waits.join(callers.areWanted() ? callers.releasing(this::giveBack) : giveBack(null));
  }

  @Override
  public int permits() {
    return hold().remote.permits();
  }

  @Override
  public void release(int permits) {
    int held = permits();
    if (permits < 1 || permits > held) {
      throw calls.tooMany(permits, held);
    }
    if (permits == held) {
      release();
    } else {
      Waits.join(calls.shrink(entry, permits));
    }
  }

  @Override
  public CompletionStage<Void> releaseAsync() {
    return calls.onExecutor(giveBack(null));
  }

  /** Stops its renewal, unless its owner holds the lock by another handle as well. */
  public void letExpire() {
    calls.letExpire(entry);
  }

  /**
   * Releases the handle.
   *
   * @param strategy how its lease is released on the store; null for a call of its own
   */
  public CompletableFuture<Void> giveBack(@Nullable ReleaseStrategy strategy) {
    CompletableFuture<Void> result = calls.release(entry, strategy);
    tether = null; // a released handle does not keep the tether reachable
    return result;
  }

  /** Releases an unused handle, without the minimum hold, so that others can acquire the lock. */
  public CompletableFuture<Void> giveBackUnused() {
    CompletableFuture<Void> result = calls.releaseUnused(entry, null);
    tether = null;
    return result;
  }

  @Override
  public String toString() {
    return "Lease["
        + monitor().kind().named(lockName())
        + ", "
        + (isValid() ? Setting.written(remaining()) + " left" : "not valid")
        + "]";
  }
}
