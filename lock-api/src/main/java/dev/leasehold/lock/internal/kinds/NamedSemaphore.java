package dev.leasehold.lock.internal.kinds;

import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.acquire.LockEntry;
import dev.leasehold.lock.internal.acquire.LockTable;
import dev.leasehold.lock.internal.calls.StoreOperations;
import dev.leasehold.lock.internal.lease.AcquireSpec;
import dev.leasehold.lock.internal.threads.Waits;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A name, a number and options; all state is in the name's {@link LockEntry}, and on the store. */
record NamedSemaphore(
    LockTable table,
    PermitStore store,
    String name,
    int permits,
    LockOptions options,
    @Nullable LockOwner owner)
    implements DistributedSemaphore {
  static void checkNumber(PermitStore store, int permits) {
    if (permits < 1 || permits > store.mostPermits()) {
      throw new IllegalArgumentException(
          "a semaphore of "
              + permits
              + " permits: on this store it has 1 to "
              + store.mostPermits()
              + " of them");
    }
  }

  @Override
  public DistributedSemaphore as(LockOwner named) {
    return new NamedSemaphore(
        table, store, name, permits, options, Objects.requireNonNull(named, "owner"));
  }

  private NamedLock lock(int wanted) {
    if (wanted < 1 || wanted > permits || wanted > PermitStore.MOST_AT_ONCE) {
      throw new IllegalArgumentException(
          wanted
              + " permits of semaphore "
              + Quoted.name(name)
              + ": an acquisition takes 1 to "
              + (permits <= PermitStore.MOST_AT_ONCE
                  ? permits + ", as many as there are"
                  : PermitStore.MOST_AT_ONCE + ", of the " + permits + " that there are"));
    }
    StoreOperations view = table.store().over(store.permits(wanted, permits));
    return new NamedLock(
        table, name, options, any -> AcquireSpec.permits(view, wanted, permits), owner);
  }

  @Override
  public Lease acquire(int wanted) throws InterruptedException {
    return lock(wanted).acquire();
  }

  @Override
  public Lease acquireUninterruptibly(int wanted) {
    return lock(wanted).acquireUninterruptibly();
  }

  @Override
  public Optional<Lease> tryAcquire(int wanted) {
    return lock(wanted).tryAcquire();
  }

  @Override
  public Optional<Lease> tryAcquire(int wanted, Duration wait) throws InterruptedException {
    return lock(wanted).tryAcquire(wait);
  }

  @Override
  public CompletionStage<Lease> acquireAsync(int wanted) {
    return lock(wanted).acquireAsync();
  }

  @Override
  public CompletionStage<Optional<Lease>> tryAcquireAsync(int wanted, Duration wait) {
    return lock(wanted).tryAcquireAsync(wait);
  }

  @Override
  public int available() {
    table.services().checkOpen();
    PermitStore.Permits now = count();
    int number = now.number() == 0 ? permits : now.number();
    return Math.max(0, number - now.held());
  }

  @Override
  public OptionalInt agreedPermits() {
    table.services().checkOpen();
    int number = count().number();
    return number == 0 ? OptionalInt.empty() : OptionalInt.of(number);
  }

  private PermitStore.Permits count() {
    return Waits.join(table.store().send(name, "inspect", () -> store.count(name)));
  }

  @Override
  public DistributedSemaphore resize(int number) {
    checkNumber(store, number);
    table.services().checkOpen();
    Waits.join(table.store().confirm(name, "resize", () -> store.resize(name, permits, number)));
    return new NamedSemaphore(table, store, name, number, options, owner);
  }

  @Override
  public String toString() {
    return "DistributedSemaphore[" + Quoted.name(name) + ", " + permits + "]";
  }
}
