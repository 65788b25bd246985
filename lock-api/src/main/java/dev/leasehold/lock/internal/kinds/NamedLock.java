package dev.leasehold.lock.internal.kinds;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.acquire.AcquireCall;
import dev.leasehold.lock.internal.acquire.LockEntry;
import dev.leasehold.lock.internal.calls.StoreCalls;
import dev.leasehold.lock.internal.calls.Tokens;
import dev.leasehold.lock.internal.name.Sharing;
import dev.leasehold.lock.internal.threads.Waits;
import dev.leasehold.lock.spi.StoredLease;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** A name and options; all state is in the name's {@link LockEntry}. */
public final class NamedLock implements DistributedLock {
  private final AcquireCall acquireCall;

  public NamedLock(AcquireCall acquireCall) {
    this.acquireCall = acquireCall;
  }

  /** Returns whether other owners may hold it at the same time. */
  public boolean isShared() {
    return acquireCall.table().sharing() != Sharing.ONE;
  }

  public String words() {
    return acquireCall.words();
  }

  @Override
  public String name() {
    return acquireCall.name();
  }

  @Override
  public DistributedLock as(LockOwner owner) {
    return new NamedLock(acquireCall.as(Objects.requireNonNull(owner, "owner")));
  }

  @Override
  public Lease acquire() throws InterruptedException {
    return acquireCall.acquire();
  }

  @Override
  public Lease acquireUninterruptibly() {
    return acquireCall.acquireUninterruptibly();
  }

  @Override
  public Optional<Lease> tryAcquire() {
    return acquireCall.tryAcquire();
  }

  /** As {@link #tryAcquire()}, without waiting for the store. */
  public CompletableFuture<Optional<Lease>> ask() {
    return acquireCall.ask();
  }

  @Override
  public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
    return acquireCall.tryAcquire(wait);
  }

  @Override
  public CompletionStage<Lease> acquireAsync() {
    return acquireCall.acquireAsync();
  }

  @Override
  public CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait) {
    return acquireCall.tryAcquireAsync(wait);
  }

  @Override
  public int holdCount() {
    return acquireCall.holdCount();
  }

  @Override
  public Optional<HolderInfo> inspect() {
    acquireCall.table().services().checkOpen();
    String name = name();
    Optional<StoredLease> answer = Waits.join(acquireCall.table().store().inspect(name));
    if (answer == null) {
      throw StoreCalls.noAnswer();
    }
    return answer.map(
        stored ->
            new HolderInfo(name, Tokens.shown(stored.token()), stored.remaining(), stored.fence()));
  }

  /** Owned by the calling thread, whatever owner was named. */
  @Override
  public Lock asLock() {
    return new LockView(acquireCall.as(null));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NamedLock that && acquireCall.isAs(that.acquireCall);
  }

  @Override
  public int hashCode() {
    return acquireCall.hash();
  }

  @Override
  public String toString() {
    return "DistributedLock[" + words() + "]";
  }
}
