package dev.leasehold.testkit;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Daemon threads for concurrent work in tests. */
public final class TestThreads {
  private TestThreads() {}

  /** Runs work on a separate thread; the future completes with its result or exception. */
  public static <T> CompletableFuture<T> onThread(Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    thread("beside-the-test", work, result).start();
    return result;
  }

  /** Creates an unstarted thread that runs work and completes the result. */
  static <T> Thread thread(String name, Callable<T> work, CompletableFuture<T> result) {
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(work.call());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            },
            name);
    thread.setDaemon(true);
    return thread;
  }
}
