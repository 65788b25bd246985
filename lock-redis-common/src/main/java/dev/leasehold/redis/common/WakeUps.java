package dev.leasehold.redis.common;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;

/**
 * Passes wake-ups that arrive on a store's channel to those who watch the name. Thread-safe, never
 * blocks.
 */
public final class WakeUps {
  /** By the message that they wait for. */
  private final ConcurrentHashMap<String, List<Runnable>> watches = new ConcurrentHashMap<>();

  /** Those with a token of their own by name, in the order in which they came. */
  private final ConcurrentHashMap<String, ConcurrentSkipListMap<Long, Runnable>> lines =
      new ConcurrentHashMap<>();

  private final AtomicLong places = new AtomicLong();

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
   * The same for one of several waiters for a name: the message for it ends in a blank and its
   * token. One for a token that nobody watches here wakes the first of the others: whom it is for
   * has left, and where the server has not heard of that it keeps the lock for it for a while. Who
   * asks in that time is told how long it lasts.
   */
  public Watch addOwn(String name, String token, Runnable wakeUp) {
    Long place = places.incrementAndGet();
    lines.compute(
        name,
        (n, line) -> {
          ConcurrentSkipListMap<Long, Runnable> longer =
              line == null ? new ConcurrentSkipListMap<>() : line;
          longer.put(place, wakeUp);
          return longer;
        });
    Watch own = add(name + ' ' + token, wakeUp);
    return () -> {
      own.close();
      lines.computeIfPresent(
          name,
          (n, line) -> {
            line.remove(place);
            return line.isEmpty() ? null : line;
          });
    };
  }

  /**
   * A watch that begins when the server confirms, or ends with the stage that waits for it.
   * Cancelling the stage closes the watch, as its failure does.
   *
   * @param name of locks of any kind: wake-ups tell no more
   * @param failures makes the store's exception of the client's, and of what was tried
   */
  public static CompletionStage<Watch> onceListening(
      String name,
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
                failures.apply(failure, "Could not listen for wake-ups of " + Quoted.name(name)));
          }
        });
    return result;
  }

  /** A message came: a name, or a name and a token. */
  public void wake(String message) {
    List<Runnable> meant = watches.getOrDefault(message, List.of());
    meant.forEach(Runnable::run);
    int blank = message.lastIndexOf(' ');
    if (meant.isEmpty() && blank >= 0) {
      wakeFirst(message.substring(0, blank));
    }
  }

  private void wakeFirst(String name) {
    ConcurrentSkipListMap<Long, Runnable> line = lines.get(name);
    Map.Entry<Long, Runnable> first = line == null ? null : line.firstEntry();
    if (first != null) {
      first.getValue().run();
    }
  }

  /** Messages may have been missed. */
  public void wakeAll() {
    watches.values().forEach(list -> list.forEach(Runnable::run));
  }
}
