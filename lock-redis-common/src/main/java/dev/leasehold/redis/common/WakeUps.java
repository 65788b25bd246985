package dev.leasehold.redis.common;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * Passes wake-ups that arrive on a store's channel to those who watch the name. Thread-safe, never
 * blocks.
 */
public final class WakeUps {
  private final ConcurrentHashMap<String, List<Runnable>> watches = new ConcurrentHashMap<>();

  /** With no watches. */
  public WakeUps() {}

  /** Calls {@code wakeUp} at each wake-up of the name, until the watch is closed. */
  @SuppressWarnings("UnnecessaryMethodReference")
  public Watch add(String name, Runnable wakeUp) {
    // A lambda of its own, so that the same Runnable watching twice is two watches.
    Runnable entry = wakeUp::run;
    watches.merge(
        name,
        List.of(entry),
        (old, added) -> {
          List<Runnable> both = new ArrayList<>(old);
          both.addAll(added);
          return List.copyOf(both);
        });
    return () ->
        watches.computeIfPresent(
            name,
            (n, old) -> {
              List<Runnable> rest = old.stream().filter(r -> r != entry).toList();
              return rest.isEmpty() ? null : rest;
            });
  }

  /**
   * A watch that begins when the server confirms, or ends with the stage that waits for it.
   * Cancelling the stage closes the watch, as its failure does.
   *
   * @param failures makes the store's exception of the client's, and of what was tried
   */
  public static CompletionStage<Watch> onceListening(
      String lockName,
      CompletionStage<?> listening,
      Watch watch,
      BiFunction<Throwable, String, LockStoreException> failures) {
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
                failures.apply(failure, RedisErrors.message("listen for wake-ups of", lockName)));
          }
        });
    return result;
  }

  /** A message came. */
  public void wake(String name) {
    watches.getOrDefault(name, List.of()).forEach(Runnable::run);
  }

  /** Messages may have been missed. */
  public void wakeAll() {
    watches.values().forEach(list -> list.forEach(Runnable::run));
  }
}
