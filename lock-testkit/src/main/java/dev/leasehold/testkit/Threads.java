package dev.leasehold.testkit;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Threads of their own for what a test does beside the rest. They keep no JVM from ending. */
public final class Threads {
  private Threads() {}

  /** Runs something on a thread of its own; completes with what it returns or throws. */
  public static <T> CompletableFuture<T> onThread(Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    thread("beside-the-test", work, result).start();
    return result;
  }

  /** A thread that is not started yet, which runs something and completes the result. */
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
