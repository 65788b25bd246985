package dev.leasehold.testkit.node;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The read/write locks of one node. Not thread-safe: the node confines it to one thread at a time.
 */
final class Sides {
  private final NodeClock clock;
  private final Map<String, ReadWrite> locks = new HashMap<>();

  /** A side, and the token of the writer whose owner may also read; empty for none. */
  record Side(boolean writes, String beside) {}

  /**
   * One lock: the ends of leases by token, on the node's own clock, and the last numbers issued.
   */
  private static final class ReadWrite {
    final Map<String, Long> readers = new HashMap<>();
    final Map<String, Long> writers = new HashMap<>();
    long fence;
    long writtenFence;
  }

  Sides(NodeClock clock) {
    this.clock = clock;
  }

  private ReadWrite live(String name) {
    ReadWrite lock = locks.computeIfAbsent(name, any -> new ReadWrite());
    long now = clock.nanos();
    lock.readers.values().removeIf(end -> end <= now);
    lock.writers.values().removeIf(end -> end <= now);
    return lock;
  }

  private static Map<String, Long> holders(ReadWrite lock, Side side) {
    return side.writes ? lock.writers : lock.readers;
  }

  /** The vote is at least {@code proposal}. */
  AcquireResult acquire(Side side, AcquireRequest request, long proposal) {
    ReadWrite lock = live(request.key().name());
    String token = request.key().token();
    Map<String, Long> mine = holders(lock, side);
    boolean fresh = !mine.containsKey(token);
    if (fresh && !isFree(lock, side)) {
      return new AcquireResult.Held(left(lock));
    }
    mine.merge(token, clock.nanos() + request.ttl().toNanos(), Math::max);
    if (!side.writes) {
      long vote = Math.max(lock.writtenFence + 1, proposal);
      lock.fence = Math.max(lock.fence, vote);
      return new AcquireResult.Granted(OptionalLong.of(vote), request.ttl());
    }
    long vote = Math.max(fresh ? lock.fence + 1 : lock.fence, proposal);
    int run = fresh ? request.handOvers() : 0;
    keep(lock, side, vote + run);
    return new AcquireResult.Granted(OptionalLong.of(vote), run, request.ttl());
  }

  private static boolean isFree(ReadWrite lock, Side side) {
    return side.writes
        ? lock.writers.isEmpty() && lock.readers.isEmpty()
        : lock.writers.isEmpty() || lock.writers.containsKey(side.beside);
  }

  private Duration left(ReadWrite lock) {
    Map<String, Long> all = lock.writers.isEmpty() ? lock.readers : lock.writers;
    long end = all.values().stream().max(Comparator.naturalOrder()).orElseThrow();
    return Duration.ofNanos(end - clock.nanos());
  }

  private static void keep(ReadWrite lock, Side side, long last) {
    lock.fence = Math.max(lock.fence, last);
    lock.writtenFence = side.writes ? Math.max(lock.writtenFence, last) : lock.writtenFence;
  }

  RenewResult raise(Side side, LeaseKey key, long last) {
    ReadWrite lock = live(key.name());
    if (!holders(lock, side).containsKey(key.token())) {
      return RenewResult.NOT_OWNER;
    }
    keep(lock, side, last);
    return RenewResult.RENEWED;
  }

  RenewResult renew(Side side, RenewRequest request) {
    long end = clock.nanos() + request.ttl().toNanos();
    Long kept =
        holders(live(request.key().name()), side)
            .computeIfPresent(request.key().token(), (token, before) -> Math.max(before, end));
    return kept == null ? RenewResult.NOT_OWNER : RenewResult.RENEWED;
  }

  ReleaseResult release(Side side, LeaseKey key) {
    Long had = holders(live(key.name()), side).remove(key.token());
    return had == null ? ReleaseResult.NOT_OWNER : ReleaseResult.RELEASED;
  }

  ReleaseResult release(Side side, LeaseKey key, FenceRun run) {
    ReadWrite lock = live(key.name());
    boolean held = holders(lock, side).containsKey(key.token());
    if (held && lock.fence == run.last() && lock.writtenFence == run.last()) {
      lock.fence = run.used();
      lock.writtenFence = run.used();
    }
    return release(side, key);
  }

  /** The entry with the longest remaining lease. */
  Optional<StoredLease> inspect(Side side, String name) {
    ReadWrite lock = live(name);
    long fence = side.writes ? lock.writtenFence : lock.fence;
    return holders(lock, side).entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(
            held ->
                new StoredLease(
                    held.getKey(),
                    Duration.ofNanos(held.getValue() - clock.nanos()),
                    OptionalLong.of(fence)));
  }

  /** Loses all data, as a restart without persistence does. */
  void forget() {
    locks.clear();
  }
}
