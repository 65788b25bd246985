package dev.leasehold.redlock;

import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.quorum.NodeSet;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes one wake-up of the messages that a release sends, one from each node. The first would do,
 * but the release may not have reached the other nodes when it comes, and who asks then gets a
 * split vote. So it waits until a quorum has sent one, and not for long; for longer each time that
 * none did: a node that is free alone, while another has the rest, wakes one after another in vain.
 * Not so where each waiter listens for itself, and gives such a node back without a word.
 * Thread-safe.
 */
final class WakeUpCoalescer {
  /** What a message costs whose node is the only one left to send one. */
  private static final Duration PATIENCE = Duration.ofMillis(3);

  /**
   * A tenth of what nodes keep the lock for who was woken; and what it costs if a message is lost.
   */
  private static final Duration MOST_PATIENCE = Duration.ofMillis(50);

  private final Quorum quorum;
  private final Runnable wakeUp;
  private final ReentrantLock mutex = new ReentrantLock();

  /** Nodes whose message has come since the last wake-up. */
  private NodeSet heard;

  private Duration patience = PATIENCE;
  private Scheduler.@Nullable Scheduled timer;

  WakeUpCoalescer(Quorum quorum, Runnable wakeUp) {
    this.quorum = quorum;
    this.heard = NodeSet.none(quorum.nodes().size());
    this.wakeUp = wakeUp;
  }

  /** A node's message. One that comes after the wake-up may tell of another release: it counts. */
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
        return; // the quorum was quicker than the timer
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
