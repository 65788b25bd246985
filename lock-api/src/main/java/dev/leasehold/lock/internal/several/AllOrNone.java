package dev.leasehold.lock.internal.several;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.internal.several.AcquiredParts.Part;
import dev.leasehold.lock.internal.threads.Clock;
import dev.leasehold.lock.internal.threads.Waits;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Acquires several things, all or none, and blocks meanwhile: the calling thread waits for {@link
 * AllAsync} and makes its steps itself. It must: the thread is the owner of the locks, also of
 * views and of a user's own locks, and it calls stores that block.
 */
public final class AllOrNone<T> {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.lock");

  private final List<? extends Part<T>> parts;
  private final @Nullable CombinedStep<T> step;
  private final Clock clock;

  public AllOrNone(List<? extends Part<T>> parts, @Nullable CombinedStep<T> step, Clock clock) {
    this.parts = parts;
    this.step = step;
    this.clock = clock;
  }

  /** Makes a single attempt; an interrupt is restored afterwards. */
  public Optional<List<T>> tryTake() {
    WaitingThread thread = new WaitingThread();
    AllAsync<T> all = new AllAsync<>(parts, step, thread.context(clock));
    CompletableFuture<Optional<List<T>>> found =
        all.take(Optional.of(Duration.ZERO), Function.identity());
    thread.await(found);
    Waits.join(all.back());
    try {
      return found.join();
    } catch (CompletionException e) {
      throw thrown(all, e.getCause());
    }
  }

  /** Waits until it has all, or for at most this time. */
  public Optional<List<T>> take(Optional<Duration> wait) throws InterruptedException {
    WaitingThread thread = new WaitingThread();
    AllAsync<T> all = new AllAsync<>(parts, step, thread.context(clock));
    CompletableFuture<Optional<List<T>>> found = all.take(wait, Function.identity());
    try {
      thread.await(found, all::left);
    } catch (TimeoutException e) {
      all.timeUp();
    } catch (InterruptedException e) {
      found.cancel(false); // the step in flight ends by itself
      throw e;
    } finally {
      thread.leave();
    }
    awaitBack(all);
    try {
      return found.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof InterruptedException interrupt) {
        throw interrupt;
      }
      if (e.getCause() instanceof LockStoreException && all.isRefused()) {
        return Optional.empty();
      }
      throw thrown(all, e.getCause());
    }
  }

  /** Waits for the release after a failure, unless that takes too long. */
  private static void awaitBack(AllAsync<?> all) {
    Optional<Duration> left = all.left();
    try {
      if (left.isPresent()) {
        all.back().get(left.get().toNanos(), TimeUnit.NANOSECONDS);
      } else {
        all.back().get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.log(Level.DEBUG, "one of several locks is still being released", e);
    }
  }

  /** As it is if a part threw it here; others' failures get the caller's frames. */
  private static RuntimeException thrown(AllAsync<?> all, @Nullable Throwable failure) {
    return all.hasThrown(failure) && failure instanceof RuntimeException own
        ? own
        : Waits.unwrapped(failure);
  }
}
