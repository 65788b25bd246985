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
 * Dispatches the wake-ups that arrive on a store's channel to the watches of the name. Thread-safe,
 * never blocks.
 */
public final class WakeUpDispatcher {
  /** By the message that they wait for. */
  private final ConcurrentHashMap<String, List<Runnable>> watches = new ConcurrentHashMap<>();

  /** Waiters with a token of their own, by name, in the order of arrival. */
  private final ConcurrentHashMap<String, ConcurrentSkipListMap<Long, Runnable>> lines =
      new ConcurrentHashMap<>();

  private final AtomicLong places = new AtomicLong();

  /** With no watches. */
  public WakeUpDispatcher() {}

  /** Calls {@code wakeUp} on each wake-up of the name, until the watch is closed. */
  @SuppressWarnings("UnnecessaryMethodReference")
  public Watch add(String name, Runnable wakeUp) {
    // A new lambda, so that the same Runnable added twice is two watches.
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
   * The same for one of several waiters for a name: its message is the name, a blank and its token.
   * A message for an unknown token wakes the first of the other waiters: the addressee has left,
   * and if the server has not been notified of that, it reserves the lock for it for a while. A
   * request in that time is refused with the rest of the reservation.
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
   * A watch that begins when the subscription is confirmed, and is closed if that fails or the
   * returned stage is cancelled.
   *
   * @param name of locks of any kind: wake-ups don't distinguish kinds
   * @param failures makes the store's exception of the client's and a description of what failed
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

  /** Dispatches a message: a name, or a name and a token. */
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

  /** Wakes all watches, since messages may have been missed. */
  public void wakeAll() {
    watches.values().forEach(list -> list.forEach(Runnable::run));
  }
}
