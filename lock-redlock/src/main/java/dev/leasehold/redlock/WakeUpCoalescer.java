package dev.leasehold.redlock;

import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.quorum.NodeSet;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Combines the messages that a release sends, one from each node, into one wake-up. Waking on the
 * first would do, but the release may not have reached the other nodes yet, and an attempt at that
 * moment splits the vote. So it waits briefly for messages from a quorum. Each time these do not
 * come, it waits longer: a node that is free alone, while another client holds the rest, wakes one
 * waiter after another in vain. The wait does not grow in a fair quorum, where each waiter listens
 * for itself and gives back such a node quietly. Thread-safe.
 */
final class WakeUpCoalescer {
  /** How much later a waiter wakes if only one node is left to send a message. */
  private static final Duration PATIENCE = Duration.ofMillis(3);

  /**
   * A tenth of the time for which nodes keep the lock for a woken waiter; also the delay if a
   * message is lost.
   */
  private static final Duration MOST_PATIENCE = Duration.ofMillis(50);

  private final Quorum quorum;
  private final Runnable wakeUp;
  private final ReentrantLock mutex = new ReentrantLock();

  /** Nodes whose message arrived since the last wake-up. */
  private NodeSet heard;

  private Duration patience = PATIENCE;
  private Scheduler.@Nullable Scheduled timer;

  WakeUpCoalescer(Quorum quorum, Runnable wakeUp) {
    this.quorum = quorum;
    this.heard = NodeSet.none(quorum.nodes().size());
    this.wakeUp = wakeUp;
  }

  /**
   * A node's message. One that arrives after the wake-up may be of another release, so it counts.
   */
  void from(Member node) {
    mutex.lock();
    try {
      heard = heard.with(node.index);
      if (!quorum.voteCount().isQuorum(heard)) {
        if (timer == null) {
          timer = quorum.context().scheduler().schedule(patience, this::wake);
          moreOfIt();
        }
        return;
      }
      patience = PATIENCE;
    } finally {
      mutex.unlock();
    }
    wake();
  }

  private void moreOfIt() {
    Duration longer = patience.multipliedBy(2);
    if (!quorum.isFair()) {
      patience = longer.compareTo(MOST_PATIENCE) < 0 ? longer : MOST_PATIENCE;
    }
  }

  private void wake() {
    mutex.lock();
    try {
      if (heard.isEmpty()) {
        return; // a quorum came before the timer
      }
      heard = NodeSet.none(heard.outOf());
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
    } finally {
      mutex.unlock();
    }
    wakeUp.run();
  }
}
