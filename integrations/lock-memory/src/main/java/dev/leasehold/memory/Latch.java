package dev.leasehold.memory;

import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.Latches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A name's latch over its rounds, and its waiters. Each operation is one step under the memory's
 * mutex and adds the wake-ups it causes to a list.
 */
final class Latch {
  /** How long a count-down is remembered: repetitions come sooner than that. */
  private static final long COUNTED_FOR = Duration.ofHours(1).toNanos();

  private final Map<String, MemoryStore> waiters = new LinkedHashMap<>();
  private final Map<MemoryStore, List<Runnable>> listeners = new HashMap<>();

  /** Tokens of count-downs, including earlier rounds, with the times they counted. */
  private final Map<String, Long> counted = new HashMap<>();

  private @Nullable Round round;

  private record Round(String token, int count, long end, String passed) {
    Round oneLess() {
      return new Round(token, count - 1, end, passed);
    }

    boolean isOver(long now) {
      return end - now <= 0;
    }
  }

  /**
   * Forgets a round that ended long ago.
   *
   * @return this
   */
  Latch at(long now) {
    if (round != null && round.end() + Latches.REMEMBERED.toNanos() - now <= 0) {
      round = null;
    }
    return this;
  }

  boolean open(String token, int count, Duration keepFor, long now) {
    Round before = round;
    if (before != null && (before.token().equals(token) || !before.isOver(now))) {
      return before.token().equals(token);
    }
    counted.values().removeIf(when -> when + COUNTED_FOR - now <= 0);
    String passed = before != null && before.count() == 0 ? before.token() : "";
    round = new Round(token, count, now + keepFor.toNanos(), passed);
    return true;
  }

  boolean countDown(String token, long now, List<Runnable> wakes) {
    if (counted.containsKey(token)) {
      return true;
    }
    Round open = round;
    if (open == null || open.isOver(now) || open.count() == 0) {
      return false;
    }
    counted.put(token, now);
    round = open.oneLess();
    if (open.count() == 1) {
      waiters.values().stream()
          .distinct()
          .forEach(store -> wakes.addAll(listeners.getOrDefault(store, List.of())));
      waiters.clear();
    }
    return true;
  }

  Optional<Latches.State> look(String waiter, IfHeld ifClosed, MemoryStore store, long now) {
    Round there = round;
    if (ifClosed == IfHeld.ENQUEUE) {
      if (there != null && !there.isOver(now) && there.count() == 0) {
        waiters.remove(waiter);
      } else {
        waiters.put(waiter, store);
      }
    }
    return Optional.ofNullable(there)
        .map(
            latch ->
                new Latches.State(
                    latch.token(),
                    latch.count(),
                    Duration.ofNanos(latch.end() - now),
                    latch.passed()));
  }

  boolean leave(String waiter) {
    return waiters.remove(waiter) != null;
  }

  void listen(MemoryStore store, Runnable wakeUp) {
    listeners.computeIfAbsent(store, s -> new ArrayList<>()).add(wakeUp);
  }

  boolean stopListening(MemoryStore store, Runnable wakeUp) {
    return listeners.getOrDefault(store, new ArrayList<>()).remove(wakeUp);
  }

  int waiting() {
    return waiters.size();
  }

  void forget(MemoryStore store) {
    listeners.remove(store);
    waiters.values().removeIf(waiting -> waiting == store);
  }
}
