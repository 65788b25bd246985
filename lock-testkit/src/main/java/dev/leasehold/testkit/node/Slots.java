package dev.leasehold.testkit.node;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.PermitStore.Permits;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.quorum.SlotStore;
import dev.leasehold.lock.spi.quorum.SlotStore.SlotVote;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The semaphores of one node, slot by slot. Not thread-safe: the node confines it to one thread at
 * a time.
 */
final class Slots {
  private final NodeClock clock;
  private final Map<String, Semaphore> semaphores = new HashMap<>();

  /** The holder of a slot, and the end of its lease on the node's own clock. */
  private record Holder(String token, long end) {}

  private static final class Semaphore {
    final Map<Integer, Holder> holders = new HashMap<>();
    final Map<Integer, Long> fences = new HashMap<>();
    int number;
  }

  Slots(NodeClock clock) {
    this.clock = clock;
  }

  private Semaphore live(String name) {
    Semaphore semaphore = semaphores.computeIfAbsent(name, any -> new Semaphore());
    long now = clock.nanos();
    semaphore.holders.values().removeIf(holder -> holder.end <= now);
    return semaphore;
  }

  private static List<Integer> of(Semaphore semaphore, LeaseKey key) {
    return semaphore.holders.entrySet().stream()
        .filter(held -> held.getValue().token.equals(key.token()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The vote is at least {@code proposal}. */
  SlotVote acquire(List<Integer> slots, int of, AcquireRequest request, long proposal) {
    LeaseKey key = request.key();
    Semaphore semaphore = live(key.name());
    if (semaphore.number != 0 && semaphore.number != of) {
      throw SlotStore.anotherNumber(key.name(), of, semaphore.number);
    }
    semaphore.number = of;
    boolean fresh = of(semaphore, key).isEmpty();
    if (fresh && slots.stream().anyMatch(semaphore.holders::containsKey)) {
      List<Integer> free =
          IntStream.range(0, of)
              .boxed()
              .filter(slot -> !semaphore.holders.containsKey(slot))
              .toList();
      return new SlotVote(new Held(left(semaphore)), free);
    }
    long last = slots.stream().mapToLong(s -> semaphore.fences.getOrDefault(s, 0L)).max().orElse(0);
    long vote = Math.max(fresh ? last + 1 : last, proposal);
    int run = fresh ? request.handOvers() : 0;
    long end = clock.nanos() + request.ttl().toNanos();
    for (int slot : slots) {
      semaphore.holders.merge(
          slot, new Holder(key.token(), end), (had, now) -> had.end > now.end ? had : now);
      semaphore.fences.merge(slot, vote + run, Math::max);
    }
    return new SlotVote(new Granted(OptionalLong.of(vote), run, request.ttl()), List.of());
  }

  private Duration left(Semaphore semaphore) {
    long first =
        semaphore.holders.values().stream()
            .map(Holder::end)
            .min(Comparator.naturalOrder())
            .orElseThrow();
    return Duration.ofNanos(first - clock.nanos());
  }

  RenewResult raise(LeaseKey key, long last) {
    Semaphore semaphore = live(key.name());
    List<Integer> mine = of(semaphore, key);
    mine.forEach(slot -> semaphore.fences.merge(slot, last, Math::max));
    return mine.isEmpty() ? RenewResult.NOT_OWNER : RenewResult.RENEWED;
  }

  RenewResult renew(RenewRequest request) {
    Semaphore semaphore = live(request.key().name());
    List<Integer> mine = of(semaphore, request.key());
    long end = clock.nanos() + request.ttl().toNanos();
    Holder longer = new Holder(request.key().token(), end);
    mine.forEach(
        slot -> semaphore.holders.computeIfPresent(slot, (s, h) -> h.end > end ? h : longer));
    return mine.isEmpty() ? RenewResult.NOT_OWNER : RenewResult.RENEWED;
  }

  ReleaseResult release(LeaseKey key) {
    Semaphore semaphore = live(key.name());
    List<Integer> mine = of(semaphore, key);
    mine.forEach(semaphore.holders::remove);
    return mine.isEmpty() ? ReleaseResult.NOT_OWNER : ReleaseResult.RELEASED;
  }

  ReleaseResult release(LeaseKey key, FenceRun run) {
    Semaphore semaphore = live(key.name());
    of(semaphore, key).forEach(slot -> semaphore.fences.replace(slot, run.last(), run.used()));
    return release(key);
  }

  Permits count(String name) {
    Semaphore semaphore = live(name);
    return new Permits(semaphore.number, semaphore.holders.size());
  }

  /** Loses all data, as a restart without persistence does. */
  void forget() {
    semaphores.clear();
  }
}
