package dev.leasehold.lock.internal;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.HolderInfo;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.lock.internal.Acquisition.Patience;
import dev.leasehold.lock.spi.Quoted;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A name and options; all state is in the name's {@link LockCell}. */
final class NamedLock implements DistributedLock {
  private final Engine engine;
  private final String name;
  private final LockOptions options;
  private final @Nullable LockOwner explicitOwner;

  NamedLock(Engine engine, String name, LockOptions options, @Nullable LockOwner owner) {
    this.engine = engine;
    this.name = name;
    this.options = options;
    this.explicitOwner = owner;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public DistributedLock as(LockOwner owner) {
    return new NamedLock(engine, name, options, Objects.requireNonNull(owner, "owner"));
  }

  @Override
  public Lease acquire() throws InterruptedException {
    return await(blocking(Patience.UNBOUNDED), Optional.empty()).orElseThrow(NamedLock::noOutcome);
  }

  /** As {@link #acquire()}; an interrupt is kept for later. */
  Lease acquireUninterruptibly() {
    Acquisition acquisition = enter(blockingOwner(), Patience.UNBOUNDED).acquisition();
    return Waits.join(acquisition.outcome).orElseThrow(NamedLock::noOutcome);
  }

  private static IllegalStateException noOutcome() {
    return new IllegalStateException("an unbounded wait ended empty");
  }

  @Override
  public Optional<Lease> tryAcquire() {
    return Waits.join(enter(blockingOwner(), Patience.NONE).acquisition().outcome);
  }

  @Override
  public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
    LockNames.checkWait(wait);
    return wait.isZero()
        ? await(blocking(Patience.NONE), Optional.empty())
        : await(blocking(Patience.TIMED), Optional.of(wait));
  }

  private Object blockingOwner() {
    return explicitOwner == null ? Thread.currentThread() : explicitOwner;
  }

  private Engine.Entered blocking(Patience patience) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return enter(blockingOwner(), patience);
  }

  private Engine.Entered enter(Object owner, Patience patience) {
    return engine.enter(name, owner, options, patience);
  }

  private static Optional<Lease> await(Engine.Entered entered, Optional<Duration> wait)
      throws InterruptedException {
    CompletableFuture<Optional<Lease>> outcome = entered.acquisition().outcome;
    try {
      return wait.isPresent()
          ? outcome.get(wait.get().toNanos(), TimeUnit.NANOSECONDS)
          : outcome.get();
    } catch (TimeoutException e) {
      entered.cell().timeUp(entered.acquisition());
      return Waits.join(outcome);
    } catch (InterruptedException e) {
      if (entered.cell().giveUp(entered.acquisition())) {
        throw e;
      }
      // Granted, or failed, at the same moment: the caller gets that, and finds the interrupt.
      Thread.currentThread().interrupt();
      return Waits.join(outcome);
    } catch (ExecutionException e) {
      throw Waits.unwrapped(e);
    }
  }

  @Override
  public CompletionStage<Lease> acquireAsync() {
    return async(
        Patience.UNBOUNDED, Optional.empty(), found -> found.orElseThrow(NamedLock::noOutcome));
  }

  @Override
  public CompletionStage<Optional<Lease>> tryAcquireAsync(Duration wait) {
    LockNames.checkWait(wait);
    return wait.isZero()
        ? async(Patience.NONE, Optional.empty(), Function.identity())
        : async(Patience.TIMED, Optional.of(wait), Function.identity());
  }

  private <T> CompletableFuture<T> async(
      Patience patience, Optional<Duration> wait, Function<Optional<Lease>, T> shape) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Object owner = explicitOwner == null ? new Object() : explicitOwner;
    Engine.Entered entered;
    try {
      entered = engine.enter(name, owner, options, patience);
    } catch (LockException closed) {
      return CompletableFuture.failedFuture(closed);
    }
    Acquisition acquisition = entered.acquisition();
    Runnable cancelTimer =
        wait.<Runnable>map(
                time -> engine.time().later(time, () -> entered.cell().timeUp(acquisition))::cancel)
            .orElse(() -> {});
    result.whenComplete(
        (value, failure) -> {
          if (!acquisition.outcome.isDone()) { // cancelled, timed out or completed by its caller
            cancelTimer.run();
            entered.cell().giveUp(acquisition);
          }
        });
    acquisition.outcome.whenComplete(
        (found, failure) -> {
          cancelTimer.run();
          engine.events().run(() -> deliver(result, found, failure, shape));
        });
    return result;
  }

  // whenComplete gives null for a result that there is none of.
  @SuppressWarnings("NullableOptional")
  private static <T> void deliver(
      CompletableFuture<T> result,
      @Nullable Optional<Lease> found,
      @Nullable Throwable failure,
      Function<Optional<Lease>, T> shape) {
    if (failure != null) {
      result.completeExceptionally(failure);
    } else if (found != null && !result.complete(shape.apply(found))) {
      found.ifPresent(lease -> ((LeaseHandle) lease).abandon()); // cancelled meanwhile
    }
  }

  @Override
  public Optional<HolderInfo> inspect() {
    engine.checkOpen();
    return Waits.join(engine.store().inspect(name))
        .map(
            stored ->
                new HolderInfo(
                    name, Tokens.shown(stored.token()), stored.remaining(), stored.fence()));
  }

  @Override
  public Lock asLock() {
    return new LockView(this, engine);
  }

  /** This lock, owned by the calling thread whatever owner was named. */
  NamedLock ownedByThread() {
    return new NamedLock(engine, name, options, null);
  }

  @Override
  public String toString() {
    return "DistributedLock[" + Quoted.name(name) + "]";
  }
}
