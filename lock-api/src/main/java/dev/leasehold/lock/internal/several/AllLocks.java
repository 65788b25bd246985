package dev.leasehold.lock.internal.several;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.calls.LockNames;
import dev.leasehold.lock.internal.kinds.NamedLock;
import dev.leasehold.lock.internal.several.AcquiredParts.Part;
import dev.leasehold.lock.internal.threads.Clock;
import dev.leasehold.lock.internal.threads.Waits;
import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Several locks, even of several managers, as one: in one step of their store if possible. Has no
 * state of its own.
 */
public final class AllLocks implements DistributedLock {
  private static final int MOST = 100;

  private final List<DistributedLock> locks;
  private final String name;
  private final @Nullable LockOwner explicitOwner;
  private final @Nullable CombinedNames combined;
  private final AllOrNone<Lease> blocking;

  private AllLocks(
      List<DistributedLock> locks,
      @Nullable LockOwner explicitOwner,
      @Nullable CombinedNames combined) {
    this.locks = locks;
    this.name = locks.stream().map(DistributedLock::name).collect(Collectors.joining(" & "));
    this.explicitOwner = explicitOwner;
    this.combined = combined;
    CombinedStep<Lease> step =
        combined == null ? null : (places, taken) -> combined.take(blockingOwner(), places, taken);
    this.blocking = new AllOrNone<>(locks.stream().map(OwnPart::new).toList(), step, Clock.SYSTEM);
  }

  private Object blockingOwner() {
    return explicitOwner == null ? Thread.currentThread() : explicitOwner;
  }

  /**
   * Combines these locks.
   *
   * @throws IllegalArgumentException if there are none, or more than 100
   */
  public static DistributedLock of(List<DistributedLock> locks) {
    return of(locks, null);
  }

  /** Combines these locks of one manager, which are acquired in one step if possible. */
  public static DistributedLock of(List<DistributedLock> locks, @Nullable CombinedNames combined) {
    if (locks.isEmpty() || locks.size() > MOST) {
      throw new IllegalArgumentException(
          locks.size() + " locks at once: from 1 to " + MOST + " can be taken together");
    }
    locks.forEach(lock -> Objects.requireNonNull(lock, "lock"));
    return new AllLocks(List.copyOf(locks), null, combined);
  }

  /** One of the locks. */
  private interface LockPart extends Part<Lease> {
    @Override
    default boolean wasOthers(Lease taken) {
      return AllLeases.wasOthers(taken);
    }

    @Override
    default CompletableFuture<Void> giveBack(Lease taken) {
      return AllLeases.giveBackUnused(taken);
    }
  }

  private record AsyncPart(DistributedLock lock) implements LockPart {
    @Override
    public CompletableFuture<Optional<Lease>> await(Optional<Duration> wait) {
      return wait.isPresent()
          ? lock.tryAcquireAsync(wait.get()).toCompletableFuture()
          : present(lock.acquireAsync().toCompletableFuture());
    }

    /** A cancellation reaches the lock's own stage. */
    private CompletableFuture<Optional<Lease>> present(CompletableFuture<Lease> asked) {
      CompletableFuture<Optional<Lease>> found = asked.thenApply(Optional::of);
      found.whenComplete(
          (lease, failure) -> {
            if (found.isCancelled() && !asked.cancel(false)) {
              asked.thenAccept(this::giveBack); // granted at the same moment
            }
          });
      return found;
    }

    @Override
    public CompletableFuture<Optional<Lease>> ask() {
      return lock.tryAcquireAsync(Duration.ZERO).toCompletableFuture();
    }

    @Override
    public String toString() {
      return lock.toString();
    }
  }

  /** The calling thread's, which may block. */
  private record OwnPart(DistributedLock lock) implements LockPart {
    @Override
    public CompletableFuture<Optional<Lease>> await(Optional<Duration> wait)
        throws InterruptedException {
      if (wait.isEmpty()) {
        return CompletableFuture.completedFuture(Optional.of(lock.acquire()));
      }
      return CompletableFuture.completedFuture(
          wait.get().isZero() ? lock.tryAcquire() : lock.tryAcquire(wait.get()));
    }

    @Override
    public CompletableFuture<Optional<Lease>> ask() {
      return lock instanceof NamedLock named
          ? named.ask()
          : CompletableFuture.completedFuture(lock.tryAcquire());
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public DistributedLock as(LockOwner owner) {
    Objects.requireNonNull(owner, "owner");
    return new AllLocks(owned(owner), owner, combined);
  }

  private List<DistributedLock> owned(LockOwner owner) {
    return locks.stream().map(lock -> lock.as(owner)).toList();
  }

  private Lease lease(List<Lease> parts) {
    try {
      return AllLeases.of(name(), parts, combined);
    } catch (RuntimeException | Error e) { // of a lease of the user's own
      parts.forEach(AllLeases::giveBackUnused);
      throw e;
    }
  }

  @Override
  public Lease acquire() throws InterruptedException {
    Waits.checkInterrupt();
    return lease(blocking.take(Optional.empty()).orElseThrow());
  }

  @Override
  public Optional<Lease> tryAcquire() {
    return blocking.tryTake().map(this::lease);
  }

  @Override
  public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
    LockNames.checkWait(wait);
    Waits.checkInterrupt();
    return wait.isZero() ? tryAcquire() : blocking.take(Optional.of(wait)).map(this::lease);
  }

  /** All parts of an asynchronous acquisition have the same owner, usually a new one. */
  private AllAsync<Lease> async() {
    LockOwner owner =
        explicitOwner != null ? explicitOwner : LockOwner.unique("asynchronous " + name());
    CombinedStep<Lease> step =
        combined == null ? null : (places, taken) -> combined.take(owner, places, taken);
    return async(
        explicitOwner != null ? locks : owned(owner), step, GatherContext.of(Clock.SYSTEM));
  }

  /** Acquires these without blocking. */
  public static AllAsync<Lease> async(
      List<DistributedLock> locks, @Nullable CombinedStep<Lease> step, GatherContext context) {
    return new AllAsync<>(locks.stream().map(AsyncPart::new).toList(), step, context);
  }

  @Override
  public CompletionStage<Lease> acquireAsync() {
    return async().take(Optional.empty(), parts -> lease(parts.orElseThrow()));
  }

  @Override
  public CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait) {
    LockNames.checkWait(wait);
    return async().take(Optional.of(wait), parts -> parts.map(this::lease));
  }

  @Override
  public int holdCount() {
    return locks.stream().mapToInt(DistributedLock::holdCount).min().orElse(0);
  }

  @Override
  public Optional<HolderInfo> inspect() {
    return locks.stream().flatMap(lock -> lock.inspect().stream()).findFirst();
  }

  @Override
  public Lock asLock() {
    return new AllView(locks.stream().map(DistributedLock::asLock).toList(), Clock.SYSTEM);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof AllLocks that
        && locks.equals(that.locks)
        && explicitOwner == that.explicitOwner;
  }

  @Override
  public int hashCode() {
    return locks.hashCode();
  }

  @Override
  public String toString() {
    return "DistributedLock[" + words(this) + "]";
  }

  /** A lock in words, with its kind where that is known. */
  public static String words(DistributedLock lock) {
    if (lock instanceof AllLocks all) {
      return all.locks.stream()
          .map(AllLocks::words)
          .collect(Collectors.joining(", ", "all of ", ""));
    }
    return lock instanceof NamedLock named ? named.words() : Quoted.name(lock.name());
  }

  /** Returns whether several owners may hold it at once: if that is true of each. */
  public static boolean isShared(DistributedLock lock) {
    return lock instanceof AllLocks all
        ? all.locks.stream().allMatch(AllLocks::isShared)
        : lock instanceof NamedLock named && named.isShared();
  }
}
