package dev.leasehold.redis.set;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.NodeEvent;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.RedisErrors;
import dev.leasehold.redis.common.ScriptRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Acquires locks on a node of a quorum only if its server is known to have run with all its data
 * for at least the longest lease. Thread-safe.
 */
record Guard(NodeServer redis) {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.redlock");

  /** Sends an acquisition's script to a given run of the server. */
  interface Taking<T> {
    CompletionStage<T> send(Sender to, ScriptRequest guarded);
  }

  void start(StoreContext context) {
    redis.onQuarantine(
        left -> {
          LOG.log(
              System.Logger.Level.INFO,
              "{0} was restarted or restored, or is new: it may have forgotten locks, and"
                  + " votes in {1}",
              redis.address(),
              Setting.written(left));
          context.tell(new NodeEvent.Quarantined(redis.address(), left));
        });
  }

  <T> CompletionStage<T> take(Duration ttl, ScriptRequest script, Taking<T> taking) {
    NodeVoter voter = redis.voter();
    if (ttl.compareTo(voter.longestLease()) > 0) {
      return refused(
          Kind.REFUSED,
          "the lease of "
              + Setting.written(ttl)
              + " is longer than the longest, "
              + Setting.written(voter.longestLease()));
    }
    ServerRun run = redis.run();
    if (run == null) {
      return refused(Kind.UNREACHABLE, redis.address() + " is not connected");
    }
    CompletionStage<T> taken = taking.send(run, voter.guard(script, script.script(), run.runId()));
    taken.whenComplete(
        (result, failure) -> {
          String words = failure == null ? "" : String.valueOf(failure.getMessage());
          // Register again if the marker was deleted; or to learn the id that the node has by now,
          // as it votes.
          if (failure == null ? voter.voted() : RedisErrors.isUnknownRun(words)) {
            redis.enter(run);
          }
          if (voter.isNews(words)) {
            LOG.log(System.Logger.Level.WARNING, "{0} does not vote: {1}", redis.address(), words);
          }
        });
    return taken;
  }

  private static <T> CompletionStage<T> refused(Kind kind, String why) {
    return CompletableFuture.failedFuture(new LockStoreException(kind, why));
  }
}
