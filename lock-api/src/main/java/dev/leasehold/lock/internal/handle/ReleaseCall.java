package dev.leasehold.lock.internal.handle;

import dev.leasehold.lock.internal.calls.CallerThread;
import dev.leasehold.lock.internal.calls.CallerThreads;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A release whose thread waits for its end, and may make the call to the store itself. */
public final class ReleaseCall {
  private ReleaseCall() {}

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
