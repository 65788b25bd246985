package dev.leasehold.memory;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.memory.Share.Held;
import dev.leasehold.memory.Share.Kind;
import dev.leasehold.memory.Share.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The state of one name of one kind: its holders and its line of waiters. Each operation is one
 * step under the memory's mutex and adds the wake-ups it causes to a list.
 *
 * <p>As on Redis, any operation that finds something free serves the line. Each waiter that fits
 * leaves the line, is woken, and has its share reserved for a moment. The first waiter that needs
 * more than is free takes the door, which blocks all those behind it. It holds the door for a
 * limited time, renewed each time it asks, so that a dead waiter does not block others.
 */
final class NameState {
  private static final long KEPT_FOR = Duration.ofMillis(500).toNanos();
  private static final long DOOR_FOR = Duration.ofMillis(2500).toNanos();

  /** How long an unused name remembers its number of permits. */
  private static final long NUMBER_FOR = Duration.ofDays(1).toNanos();

  private final Map<String, Held> holders = new LinkedHashMap<>();
  private final List<Waiter> line = new ArrayList<>();
  private final Map<MemoryStore, List<Runnable>> listeners = new HashMap<>();
  private @Nullable String door;
  private long doorEnds;
  private long fence;
  private int number;
  private long numberEnds;

  private record Waiter(String token, Share share, MemoryStore store, long since) {}

  /**
   * Removes expired entries.
   *
   * @return this
   */
  NameState at(long now) {
    holders.values().removeIf(held -> held.end() - now <= 0);
    if (door != null && doorEnds - now <= 0) {
      door = null;
    }
    if (number > 0 && holders.isEmpty() && numberEnds - now <= 0) {
      number = 0;
    }
    return this;
  }

  // ---- a store's operations ----

  AcquireResult acquire(
      Share share, AcquireRequest request, MemoryStore store, long now, List<Runnable> wakes) {
    if (share.kind() == Kind.PERMITS) {
      checkNumber(request.key().name(), share.of());
      number = share.of();
    }
    String token = request.key().token();
    String me = request.waiter().token();
    long end = now + request.ttl().toNanos();
    Held mine = holders.get(token);
    if (mine != null && mine.standing() == Standing.HELD) {
      outOfLine(me);
      holders.put(token, mine.until(end));
      return granted(mine.share(), mine.lastFence(), 0, request.ttl(), now);
    }
    if (isKept(me) || isHeld(share.beside()) || isServed(share, me, now, wakes)) {
      outOfLine(me);
      holders.remove(me);
      long first = fence + 1;
      fence = first + request.handOvers();
      holders.put(token, new Held(share, Standing.HELD, end, fence, first));
      return granted(share, first, request.handOvers(), request.ttl(), now);
    }
    if (request.ifHeld() == IfHeld.ENQUEUE) {
      enqueue(new Waiter(me, share, store, now - request.waited().toNanos()), now);
    }
    return refused(now);
  }

  private AcquireResult.Held refused(long now) {
    Duration end = nextEnd(now);
    return holders.keySet().stream()
        .filter(token -> isHeld(token) && MemoryStore.isRecallable(token))
        .findFirst()
        .map(token -> AcquireResult.Held.recallable(end, token))
        .orElseGet(() -> new AcquireResult.Held(end));
  }

  private AcquireResult granted(Share share, long first, int more, Duration ttl, long now) {
    numberEnds = now + ttl.toNanos() + NUMBER_FOR;
    return share.kind() == Kind.PERMITS
        ? new AcquireResult.Granted(OptionalLong.empty(), ttl)
        : new AcquireResult.Granted(OptionalLong.of(first), more, ttl, List.of(), !line.isEmpty());
  }

  // ---- several names in one step: all are checked before any is taken ----

  /** The other holder; empty if the token holds the name, or if the name is free for it. */
  Optional<AcquireResult.Held> otherThan(
      LeaseKey lease, boolean mayBeFree, long now, List<Runnable> wakes) {
    return isHeld(lease.token()) || (mayBeFree && isServed(Share.LOCK, "", now, wakes))
        ? Optional.empty()
        : Optional.of(refused(now));
  }

  /** The last number issued. */
  long fence() {
    return fence;
  }

  /**
   * Grants a free name, or extends the token's hold, until at least {@code end}, with this number.
   */
  void take(LeaseKey lease, long end, long number) {
    Held mine = holders.get(lease.token());
    long last = mine == null || mine.end() - end < 0 ? end : mine.end();
    fence = number;
    holders.put(lease.token(), new Held(Share.LOCK, Standing.HELD, last, number, number));
  }

  RenewResult renew(RenewRequest request, long now) {
    Held mine = holders.get(request.key().token());
    if (mine == null || mine.standing() != Standing.HELD) {
      return RenewResult.NOT_OWNER;
    }
    holders.put(request.key().token(), mine.until(now + request.ttl().toNanos()));
    return RenewResult.RENEWED;
  }

  ReleaseResult release(LeaseKey lease, @Nullable FenceRun run, long now, List<Runnable> wakes) {
    Held mine = holders.get(lease.token());
    if (mine == null || mine.standing() == Standing.TOMBSTONE) {
      return ReleaseResult.NOT_OWNER;
    }
    holders.remove(lease.token());
    if (run != null && fence == run.last()) {
      fence = run.used();
    }
    return serve("", now, wakes) > 0 ? ReleaseResult.PASSED_ON : ReleaseResult.RELEASED;
  }

  ReleaseResult keep(LeaseKey lease, Duration rest, long now) {
    String tombstone = "-" + lease.token();
    Held mine = holders.get(lease.token());
    if (mine != null && mine.standing() == Standing.HELD) {
      long end = now + rest.toNanos();
      holders.remove(lease.token());
      holders.put(
          tombstone,
          new Held(
              mine.share(),
              Standing.TOMBSTONE,
              end - mine.end() < 0 ? end : mine.end(),
              mine.lastFence(),
              mine.firstFence()));
    }
    return holders.containsKey(tombstone) ? ReleaseResult.KEPT : ReleaseResult.NOT_OWNER;
  }

  void leave(LeaseKey waiter, long now, List<Runnable> wakes) {
    outOfLine(waiter.token());
    if (isKept(waiter.token())) {
      holders.remove(waiter.token());
    }
    serve("", now, wakes);
  }

  void listen(MemoryStore store, Runnable wakeUp) {
    listeners.computeIfAbsent(store, s -> new ArrayList<>()).add(wakeUp);
  }

  void stopListening(MemoryStore store, Runnable wakeUp) {
    List<Runnable> all = listeners.get(store);
    if (all != null && all.remove(wakeUp) && all.isEmpty()) {
      listeners.remove(store);
    }
  }

  // ---- permits ----

  PermitStore.Permits count() {
    return new PermitStore.Permits(number, held());
  }

  void resize(String name, int from, int to, long now, List<Runnable> wakes) {
    if (number != to) {
      checkNumber(name, from);
      dismiss(wakes);
    }
    number = to;
    numberEnds = now + NUMBER_FOR;
    serve("", now, wakes);
  }

  ReleaseResult shrink(LeaseKey lease, int keep, long now, List<Runnable> wakes) {
    Held mine = holders.get(lease.token());
    if (mine == null || mine.standing() != Standing.HELD) {
      return ReleaseResult.NOT_OWNER;
    }
    int left = Math.min(keep, mine.share().wanted());
    holders.put(lease.token(), mine.of(Share.permits(left, mine.share().of())));
    return serve("", now, wakes) > 0 ? ReleaseResult.PASSED_ON : ReleaseResult.RELEASED;
  }

  /** Makes waiters with another number of permits ask again, and so learn of the change. */
  private void dismiss(List<Runnable> wakes) {
    line.forEach(waiter -> wakes.addAll(listeners.getOrDefault(waiter.store(), List.of())));
    line.clear();
    door = null;
  }

  private void checkNumber(String name, int asked) {
    if (number != 0 && number != asked) {
      throw PermitStore.anotherNumber(name, asked, number);
    }
  }

  // ---- the line ----

  /** Serves the line; returns whether a newcomer, or {@code me} in the line, fits now. */
  private boolean isServed(Share share, String me, long now, List<Runnable> wakes) {
    serve(me, now, wakes);
    if (isKept(me)) {
      return true;
    }
    boolean shut = door != null && !door.equals(me) && line.stream().anyMatch(this::isAtTheDoor);
    return !shut && fits(share);
  }

  private boolean isAtTheDoor(Waiter waiter) {
    return waiter.token().equals(door);
  }

  /**
   * Reserves what is free for the waiters, in order.
   *
   * @param me the waiter that is asking, which need not be woken
   * @return the number of waiters woken
   */
  private int serve(String me, long now, List<Runnable> wakes) {
    int woken = 0;
    for (Waiter waiter : List.copyOf(line)) {
      boolean asks = waiter.token().equals(me);
      List<Runnable> ears = listeners.getOrDefault(waiter.store(), List.of());
      if (fits(waiter.share())) {
        outOfLine(waiter.token());
        if (asks || !ears.isEmpty()) {
          holders.put(
              waiter.token(), new Held(waiter.share(), Standing.KEPT, now + KEPT_FOR, fence, 0));
        }
        if (!asks && !ears.isEmpty()) {
          wakes.addAll(ears);
          woken++;
        }
      } else if (isAtTheDoor(waiter)) {
        break;
      }
    }
    return woken;
  }

  private void enqueue(Waiter waiter, long now) {
    line.removeIf(other -> other.token().equals(waiter.token()));
    int place = 0;
    while (place < line.size() && line.get(place).since() - waiter.since() <= 0) {
      place++;
    }
    line.add(place, waiter);
    for (Waiter other : line) {
      if (other.token().equals(waiter.token())) {
        door = waiter.token();
        doorEnds = now + DOOR_FOR;
      }
      if (isAtTheDoor(other)) {
        return;
      }
    }
  }

  private void outOfLine(String token) {
    line.removeIf(waiter -> waiter.token().equals(token));
    if (token.equals(door)) {
      door = null;
    }
  }

  private boolean isKept(String token) {
    Held held = holders.get(token);
    return held != null && held.standing() == Standing.KEPT;
  }

  private boolean isHeld(String token) {
    Held held = holders.get(token);
    return held != null && held.standing() == Standing.HELD;
  }

  private int held() {
    return holders.values().stream().mapToInt(held -> held.share().wanted()).sum();
  }

  private boolean fits(Share share) {
    return switch (share.kind()) {
      case LOCK -> holders.isEmpty();
      case PERMITS -> held() + share.wanted() <= number;
      case READ_WRITE ->
          holders.values().stream().allMatch(held -> share.reads() && held.share().reads());
    };
  }

  /** The time until the first entry expires. */
  private Duration nextEnd(long now) {
    return holders.values().stream()
        .map(held -> held.left(now))
        .min(Duration::compareTo)
        .orElse(AcquireResult.Held.ENDLESS);
  }

  // ---- for tests ----

  /** A lease or a minimum hold; not a reservation for a waiter. */
  Optional<Map.Entry<String, Held>> holder(boolean reads) {
    return holders.entrySet().stream()
        .filter(e -> e.getValue().standing() != Standing.KEPT)
        .filter(e -> e.getValue().share().reads() == reads)
        .findFirst();
  }

  int waiting() {
    return line.size();
  }

  /** Removes all holders without waking a waiter, as the deletion of a key does. */
  boolean takeAway() {
    boolean any = !holders.isEmpty();
    holders.clear();
    return any;
  }

  void put(String token, Share share, long end) {
    holders.clear();
    holders.put(token, new Held(share, Standing.HELD, end, fence, fence));
  }

  void forget(MemoryStore store) {
    listeners.remove(store);
    line.stream()
        .filter(waiter -> waiter.store() == store)
        .map(Waiter::token)
        .toList()
        .forEach(this::outOfLine);
  }
}
