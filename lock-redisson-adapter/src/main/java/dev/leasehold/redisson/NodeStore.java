package dev.leasehold.redisson;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.NodeEvent;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Scheduler;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.quorum.ListedNode;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.RedisErrors;
import dev.leasehold.redis.common.RunGuard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Plain locks on a node of a quorum: granted only if its server is known to have run with all its
 * data for at least the longest lease. Thread-safe.
 */
final class NodeStore extends RLockStore implements QuorumNode, ListedNode {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.redlock");

  private final String address;
  private final NodeVoter voter;
  private volatile String runId = "";
  private volatile Duration quarantine = Duration.ZERO;
  private volatile @Nullable StoreContext context;
  private volatile Scheduler.@Nullable Scheduled again;
  private volatile boolean closed;

  /**
   * Connects. Blocks until the server has registered the client.
   *
   * @param address for messages
   */
  NodeStore(Client client, Eviction eviction, String address, Duration longestLease) {
    super(client, eviction);
    this.address = address;
    this.voter = new NodeVoter(longestLease, KeySpace.WHOLE);
    try {
      enter().toCompletableFuture().join();
    } catch (CompletionException e) {
      close();
      throw RedissonFailures.of(e, "Could not enter the quorum at " + address);
    }
    connections.onAgain(this::enter);
  }

  /**
   * Registers the server's run: at first, after reconnecting, and when the server has forgotten it.
   */
  private CompletionStage<?> enter() {
    return client
        .serverInfo()
        .thenCompose(
            info -> {
              String run = RunGuard.runId(info);
              RedissonScriptCall call =
                  RedissonScriptCall.of(
                      RedissonScript.ENTER,
                      "enter the quorum for every",
                      "*",
                      List.of(client.marker()),
                      voter.enterArguments(run).toArray(String[]::new));
              return scripts.list(
                  call,
                  reply -> {
                    Duration left = voter.entered(reply);
                    runId = run;
                    boolean isNews = left.compareTo(quarantine) > 0;
                    quarantine = left;
                    if (isNews) {
                      quarantined(left);
                    }
                    return left;
                  });
            })
        .whenComplete(
            (left, failure) -> {
              if (failure != null) {
                voter.notEntered();
              }
            });
  }

  private void quarantined(Duration left) {
    StoreContext told = context;
    if (!left.isZero() && told != null) {
      LOG.log(
          System.Logger.Level.INFO,
          "{0} was restarted or restored, or is new: it may have forgotten locks, and votes"
              + " in {1}",
          address,
          Setting.written(left));
      told.tell(new NodeEvent.Quarantined(address, left));
    }
  }

  /**
   * Without the client's id: a lock over several servers uses another client for each, from one
   * thread. The quorum must see one holder.
   */
  @Override
  String shown(ForeignHolder holder) {
    return "Redisson-thread:" + holder.threadId();
  }

  @Override
  public void start(StoreContext context) {
    super.start(context);
    this.context = context;
    quarantined(quarantine);
    enterAgain(context);
  }

  /** Repeats the registration, see {@link NodeVoter#entersEvery}. */
  private void enterAgain(StoreContext context) {
    if (!closed) {
      again =
          context
              .scheduler()
              .schedule(
                  voter.entersEvery(),
                  () -> {
                    enterAgain(context); // first, so that it goes on if the call throws
                    context.executor().execute(this::enter);
                  });
    }
  }

  @Override
  public void close() {
    closed = true;
    Scheduler.Scheduled next = again;
    if (next != null) {
      next.cancel();
    }
    super.close();
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return vote(request, 0);
  }

  @Override
  public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
    if (request.ttl().compareTo(voter.longestLease()) > 0) {
      return CompletableFuture.failedFuture(
          new LockStoreException(
              Kind.REFUSED,
              "the lease of "
                  + Setting.written(request.ttl())
                  + " is longer than the longest, "
                  + Setting.written(voter.longestLease())));
    }
    Keys keys = keys(request.key().name());
    List<String> arguments =
        new ArrayList<>(
            List.of(
                request.key().token(),
                millis(request.ttl()),
                Long.toString(proposal),
                Integer.toString(request.handOvers())));
    arguments.addAll(voter.guardArguments());
    RedissonScriptCall call =
        RedissonScriptCall.of(
            RedissonScript.NODE_ACQUIRE,
            "acquire",
            keys.name(),
            List.of(keys.lock(), keys.fence(), client.marker()),
            arguments.toArray(String[]::new));
    CompletionStage<AcquireResult> taken =
        scripts.acquisition(call, request.key(), answer -> acquired(request, answer));
    taken.whenComplete(
        (result, failure) -> {
          String words = failure == null ? "" : String.valueOf(failure.getMessage());
          if (voter.isNews(words)) {
            LOG.log(System.Logger.Level.WARNING, "{0} does not vote: {1}", address, words);
          }
          if (failure == null ? voter.voted() : RedisErrors.isUnknownRun(words)) {
            enter();
          }
        });
    return taken;
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    Keys keys = keys(lease.name());
    return scripts.number(
        RedissonScriptCall.of(
            RedissonScript.RAISE,
            "raise the fence of",
            lease.name(),
            List.of(keys.lock(), keys.fence()),
            lease.token(),
            Long.toString(fence),
            Integer.toString(handOvers)),
        reply -> reply == 1 ? RenewResult.RENEWED : RenewResult.NOT_OWNER);
  }

  @Override
  public String serverId() {
    return runId;
  }

  @Override
  public String nodeId() {
    return voter.id();
  }

  @Override
  public void partOf(Supplier<Membership> membership) {
    voter.partOf(membership);
  }
}
