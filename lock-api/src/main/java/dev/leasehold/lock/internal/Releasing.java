package dev.leasehold.lock.internal;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A release whose thread waits for its end, and may make the call to the store itself. */
final class Releasing {
  private Releasing() {}

  /** Releases an entry; what it ends with is to be waited for. */
  static CompletableFuture<Void> by(
      LockCell cell, Entry entry, Supplier<CompletableFuture<Void>> release) {
    Caller caller = cell.callers().here();
    if (caller == null) {
      return release.get();
    }
    entry.releaser = caller;
    boolean released = false;
    try {
      CompletableFuture<Void> end = release.get();
      released = true;
      caller.run(end, null);
      return end;
    } finally {
      entry.releaser = null; // it keeps no thread in reach
      if (!released) {
        caller.leave();
      }
    }
  }
}
