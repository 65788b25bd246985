package dev.leasehold.redlock;

import dev.leasehold.lock.spi.quorum.QuorumNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What time it is to a quorum: the median of its nodes' clocks, so that a wrong one moves no
 * waiter's place. All clients tell arrivals by it, and hence in one order but for half a round
 * trip; never by their own wall clocks. Thread-safe.
 */
final class ArrivalClock {
  /** In a minute, clocks drift apart by less than a round trip takes. */
  private static final long FRESH_NANOS = Duration.ofMinutes(1).toNanos();

  /** For so long it is better to go by what was read than to wait for a node that hangs. */
  private static final long USABLE_NANOS = Duration.ofMinutes(10).toNanos();

  private final ReentrantLock mutex = new ReentrantLock();

  /** By node: by how many microseconds its clock is ahead of the ticker, as last heard. */
  private final TreeMap<Integer, Long> ahead = new TreeMap<>();

  private @Nullable CompletableFuture<OptionalLong> reading;

  /** Of the last reading; empty before one. */
  private OptionalLong last = OptionalLong.empty();

  /** When the last reading began. */
  private long readAt;

  /** When the reading began that {@code last} is of. */
  private long lastReadAt;

  /**
   * By how many microseconds the quorum's time is ahead of this ticker. Asks the nodes if the value
   * is unknown or a minute old; an old value is returned meanwhile. Never fails: empty if no node
   * tells its time or answers.
   *
   * @param lease nodes are waited for as long as for votes on such a one
   */
  CompletableFuture<OptionalLong> ahead(Quorum quorum, Duration lease) {
    CompletableFuture<OptionalLong> asked = new CompletableFuture<>();
    @Nullable CompletableFuture<OptionalLong> told;
    long begun = quorum.now();
    mutex.lock();
    try {
      told = isKnown(begun) ? CompletableFuture.completedFuture(last) : null;
      boolean isFresh = begun - readAt < FRESH_NANOS;
      if (reading != null && (isFresh || !reading.isDone())) {
        return told == null ? reading : told;
      }
      reading = asked;
      readAt = begun;
    } finally {
      mutex.unlock();
    }
    read(quorum, lease).whenComplete((all, failure) -> asked.complete(read(asked, begun)));
    return told == null ? asked : told;
  }

  private boolean isKnown(long now) {
    return last.isPresent() && now - lastReadAt < USABLE_NANOS;
  }

  /** A reading has ended: what it came to. */
  private OptionalLong read(CompletableFuture<OptionalLong> asked, long begun) {
    mutex.lock();
    try {
      OptionalLong median = median();
      if (median.isEmpty()) {
        reading = reading == asked ? null : reading;
      } else {
        last = median;
        lastReadAt = begun;
      }
      return median;
    } finally {
      mutex.unlock();
    }
  }

  /** Of all nodes that answer in time: a majority might have the wrong one in its middle. */
  private CompletableFuture<Answers<OptionalLong>> read(Quorum quorum, Duration lease) {
    return quorum.ask(
        lease,
        answers -> answers.isLast() ? Optional.of(answers) : Optional.empty(),
        node ->
            node.store instanceof QuorumNode voter
                ? node.send(quorum.context(), () -> read(quorum, node, voter))
                : CompletableFuture.completedFuture(OptionalLong.empty()));
  }

  private CompletableFuture<OptionalLong> read(Quorum quorum, Member node, QuorumNode voter) {
    long sentAt = quorum.now();
    return voter
        .time()
        .thenApply(
            time -> {
              long heardAt = quorum.now();
              time.ifPresent(
                  micros -> keep(node, micros - micros(sentAt + (heardAt - sentAt) / 2)));
              return time;
            })
        .toCompletableFuture();
  }

  private void keep(Member node, long micros) {
    mutex.lock();
    try {
      ahead.put(node.index, micros);
    } finally {
      mutex.unlock();
    }
  }

  /**
   * A node that did not answer counts with what it said last. Of two in the middle the earlier.
   * Guarded by the mutex.
   */
  private OptionalLong median() {
    List<Long> sorted = ahead.values().stream().sorted().toList();
    return sorted.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(sorted.get((sorted.size() - 1) / 2));
  }

  static long micros(long nanos) {
    return TimeUnit.NANOSECONDS.toMicros(nanos);
  }
}
