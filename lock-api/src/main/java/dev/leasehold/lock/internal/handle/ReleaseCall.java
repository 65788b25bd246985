package dev.leasehold.lock.internal.handle;

import dev.leasehold.lock.internal.calls.CallerThread;
import dev.leasehold.lock.internal.calls.CallerThreads;
import dev.leasehold.lock.internal.hold.HoldEntry;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A release whose thread waits for its end, and may make the call to the store itself. */
public final class ReleaseCall {
  private ReleaseCall() {}

  /** Releases an entry. The caller must wait for the returned future. */
  public static CompletableFuture<Void> by(
      CallerThreads callers, HoldEntry entry, Supplier<CompletableFuture<Void>> release) {
    return by(
        callers,
        caller -> {
          if (caller == null) {
            return release.get();
          }
          entry.strategy = caller;
          try {
            return release.get();
          } finally {
            entry.strategy = null; // so that it does not keep the thread reachable
          }
        });
  }

  /**
   * Runs a release. The caller must wait for the returned future.
   *
   * @param release gets the caller whose thread may make the call; null if none may
   */
  public static CompletableFuture<Void> by(
      CallerThreads callers, Function<@Nullable CallerThread, CompletableFuture<Void>> release) {
    CallerThread caller = callers.here();
    if (caller == null) {
      return release.apply(null);
    }
    boolean released = false;
    try {
      CompletableFuture<Void> end = release.apply(caller);
      released = true;
      caller.run(end, null);
      return end;
    } finally {
      if (!released) {
        caller.leave();
      }
    }
  }
}
