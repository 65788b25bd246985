package dev.leasehold.lock.internal.kinds;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.acquire.Asking;
import dev.leasehold.lock.internal.acquire.LockCell;
import dev.leasehold.lock.internal.calls.Tokens;
import dev.leasehold.lock.internal.hold.Sharing;
import dev.leasehold.lock.internal.threads.Waits;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** A name and options; all state is in the name's {@link LockCell}. */
public final class NamedLock implements DistributedLock {
  private final Asking asking;

  public NamedLock(Asking asking) {
    this.asking = asking;
  }

  /** Whether others may hold it at the same time. */
  public boolean isShared() {
    return asking.cells().sharing() != Sharing.ONE;
  }

  public String words() {
    return asking.words();
  }

  @Override
  public String name() {
    return asking.name();
  }

  @Override
  public DistributedLock as(LockOwner owner) {
    return new NamedLock(asking.as(Objects.requireNonNull(owner, "owner")));
  }

  @Override
  public Lease acquire() throws InterruptedException {
    return asking.acquire();
  }

  @Override
  public Lease acquireUninterruptibly() {
    return asking.acquireUninterruptibly();
  }

  @Override
  public Optional<Lease> tryAcquire() {
    return asking.tryAcquire();
  }

  /** As {@link #tryAcquire()}, without waiting for the store. */
  public CompletableFuture<Optional<Lease>> ask() {
    return asking.ask();
  }

  @Override
  public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
    return asking.tryAcquire(wait);
  }

  @Override
  public CompletionStage<Lease> acquireAsync() {
    return asking.acquireAsync();
  }

  @Override
  public CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait) {
    return asking.tryAcquireAsync(wait);
  }

  @Override
  public int holdCount() {
    return asking.holdCount();
  }

  @Override
  public Optional<HolderInfo> inspect() {
    asking.cells().checkOpen();
    String name = name();
    return Waits.join(asking.cells().store().inspect(name))
        .map(
            stored ->
                new HolderInfo(
                    name, Tokens.shown(stored.token()), stored.remaining(), stored.fence()));
  }

  /** Owned by the calling thread, whatever owner was named. */
  @Override
  public Lock asLock() {
    return new LockView(asking.as(null));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NamedLock that && asking.isAs(that.asking);
  }

  @Override
  public int hashCode() {
    return asking.hash();
  }

  @Override
  public String toString() {
    return "DistributedLock[" + words() + "]";
  }
}
