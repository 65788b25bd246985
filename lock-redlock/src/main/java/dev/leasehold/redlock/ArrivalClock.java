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
 * The quorum's time: the median of its nodes' clocks, so that one wrong clock does not change a
 * waiter's place. All clients order arrivals by it, never by their own wall clocks, and therefore
 * agree to within half a round trip. Thread-safe.
 */
final class ArrivalClock {
  /**
   * How long a reading is fresh. In a minute, clocks drift apart by less than a round trip takes.
   */
  private static final long FRESH_NANOS = Duration.ofMinutes(1).toNanos();

  /** How long a stale reading is still better than waiting for a node that hangs. */
  private static final long USABLE_NANOS = Duration.ofMinutes(10).toNanos();

  /**
   * A node's answer that took longer is a poor reading, off by up to half of that: this process may
   * have been paused before it read the answer. It is taken again.
   */
  private static final long POOR_NANOS = Duration.ofMillis(50).toNanos();

  private static final int READINGS = 3;

  private final ReentrantLock mutex = new ReentrantLock();

  /** By node: how many microseconds its clock was ahead of the ticker when it last answered. */
  private final TreeMap<Integer, Long> ahead = new TreeMap<>();

  private @Nullable CompletableFuture<OptionalLong> reading;

  /** The result of the last reading; empty before the first. */
  private OptionalLong last = OptionalLong.empty();

  /** When the latest reading began. */
  private long readAt;

  /** When the reading that produced {@code last} began. */
  private long lastReadAt;

  /**
   * By how many microseconds the quorum's time is ahead of this ticker. Reads the nodes' clocks if
   * the value is unknown or a minute old; while a reading is under way, the old value is returned.
   * Never fails: empty if no node answers or reports its time.
   *
   * @param lease nodes are given as long to answer as for votes on such a lease
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

  /** Ends a reading and returns its result. */
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

  /**
   * Reads all nodes that answer in time: the median of a mere majority might be the wrong clock.
   */
  private CompletableFuture<NodeAnswers<OptionalLong>> read(Quorum quorum, Duration lease) {
    return quorum.ask(
        lease,
        answers -> answers.isLast() ? Optional.of(answers) : Optional.empty(),
        node ->
            node.store instanceof QuorumNode voter
                ? node.send(
                    quorum.context(), () -> read(quorum, node, voter, READINGS, Long.MAX_VALUE))
                : CompletableFuture.completedFuture(OptionalLong.empty()));
  }

  /**
   * Keeps the reading whose answer came soonest, as in Cristian's algorithm.
   *
   * @param readings how many may be taken
   * @param soonest how long the best reading before took, in nanoseconds
   */
  private CompletableFuture<OptionalLong> read(
      Quorum quorum, Member node, QuorumNode voter, int readings, long soonest) {
    long sentAt = quorum.now();
    return voter
        .time()
        .thenCompose(
            time -> {
              long took = quorum.now() - sentAt;
              if (took < soonest) {
                time.ifPresent(micros -> keep(node, micros - micros(sentAt + took / 2)));
              }
              return time.isEmpty() || took <= POOR_NANOS || readings == 1
                  ? CompletableFuture.completedFuture(time)
                  : read(quorum, node, voter, readings - 1, Math.min(took, soonest));
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
   * The median; a node that did not answer counts with its last value. Of two middle values, the
   * earlier. Guarded by the mutex.
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
