package dev.leasehold.redis.set;

import dev.leasehold.lock.spi.Watch;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A watch that begins when the server confirms, or ends with the stage that waits for it. */
final class Watching {
  private Watching() {}

  /** Cancelling the stage closes the watch, as its failure does. */
  static CompletionStage<Watch> from(String name, CompletionStage<?> listening, Watch watch) {
    CompletableFuture<Watch> result = new CompletableFuture<>();
    result.whenComplete(
        (begun, failure) -> {
          if (failure != null) {
            watch.close();
          }
        });
    listening.whenComplete(
        (done, failure) -> {
          if (failure == null) {
            result.complete(watch);
          } else {
            result.completeExceptionally(
                Failures.of(failure, "Could not listen for wake-ups of lock '" + name + "'"));
          }
        });
    return result;
  }
}
