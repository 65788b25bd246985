package dev.leasehold.redis.common;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.NodeEvent;
import dev.leasehold.lock.spi.Scheduler.Scheduled;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.StoreContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Acquires locks on a node of a quorum only if its server is known to have run with all its data
 * for at least the longest lease, whatever the client. Thread-safe.
 */
public final class NodeGuard {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.redlock");

  private final NodeVoter voter;
  private final String address;
  private volatile Duration quarantine = Duration.ZERO;
  private volatile @Nullable StoreContext context;
  private volatile @Nullable Scheduled again;
  private volatile boolean closed;

  /**
   * For one client and one node.
   *
   * @param address the node's, for messages
   */
  public NodeGuard(NodeVoter voter, String address) {
    this.voter = voter;
    this.address = address;
  }

  /** What the node and this client know of each other. */
  public NodeVoter voter() {
    return voter;
  }

  /** Reports from now on when the node does not vote for a while, and at once if it does not. */
  public void start(StoreContext store) {
    context = store;
    report(quarantine);
  }

  /**
   * Repeats the registration by the store's timers, as {@link NodeVoter#entersEvery} demands, until
   * the close.
   *
   * @param enter registers; does not block
   */
  public void repeat(StoreContext store, Runnable enter) {
    again =
        store
            .scheduler()
            .schedule(
                voter.entersEvery(),
                () -> {
                  if (!closed) {
                    repeat(store, enter); // first, so that it goes on if the call throws
                    enter.run();
                  }
                });
  }

  /** Ends {@link #repeat}. */
  public void close() {
    closed = true;
    Scheduled next = again;
    if (next != null) {
      next.cancel();
    }
  }

  /**
   * Parses the reply to {@link NodeVoter#enter}.
   *
   * @return for how long the node does not vote yet
   */
  public Duration entered(@Nullable List<?> reply) {
    Duration left = voter.entered(reply);
    boolean isNews = left.compareTo(quarantine) > 0;
    quarantine = left;
    if (isNews) {
      report(left);
    }
    return left;
  }

  private void report(Duration left) {
    StoreContext told = context;
    if (told == null || left.isZero()) {
      return;
    }
    LOG.log(
        System.Logger.Level.INFO,
        "{0} was restarted or restored, or is new: it may have forgotten locks, and votes in {1}",
        address,
        Setting.written(left));
    told.tell(new NodeEvent.Quarantined(address, left));
  }

  /**
   * Acquires by a script with a guard.
   *
   * @param ttl the lease's time to live
   * @param send sends the script
   * @param enter registers the client again: if the node has lost its marker, or to learn the id
   *     that the node has by now, as it votes
   */
  public <T> CompletionStage<T> take(
      Duration ttl, Supplier<CompletionStage<T>> send, Runnable enter) {
    if (ttl.compareTo(voter.longestLease()) > 0) {
      return CompletableFuture.failedFuture(
          new LockStoreException(
              Kind.REFUSED,
              "the lease of "
                  + Setting.written(ttl)
                  + " is longer than the longest, "
                  + Setting.written(voter.longestLease())));
    }
    CompletionStage<T> taken = send.get();
    taken.whenComplete(
        (result, failure) -> {
          String words = failure == null ? "" : String.valueOf(failure.getMessage());
          if (voter.isNews(words)) {
            LOG.log(System.Logger.Level.WARNING, "{0} does not vote: {1}", address, words);
          }
          if (failure == null ? voter.voted() : RedisErrors.isUnknownRun(words)) {
            enter.run();
          }
        });
    return taken;
  }
}
