package dev.leasehold.redisson;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.quorum.ListedNode;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.NodeGuard;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.RunGuard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Plain locks on a node of a quorum: granted only if its server is known to have run with all its
 * data for at least the longest lease. Thread-safe.
 */
final class NodeStore extends RLockStore implements QuorumNode, ListedNode {
  private final NodeGuard guard;
  private volatile String runId = "";

  /**
   * Connects. Blocks until the server has registered the client.
   *
   * @param address for messages
   */
  NodeStore(Client client, Eviction eviction, String address, Duration longestLease) {
    super(client, eviction);
    this.guard = new NodeGuard(new NodeVoter(longestLease, KeySpace.WHOLE), address);
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
                  call(
                      RedissonScript.ENTER,
                      "enter the quorum for every",
                      "*",
                      List.of(client.marker()),
                      guard.voter().enterArguments(run).toArray(String[]::new));
              return scripts.list(
                  call,
                  reply -> {
                    runId = run;
                    return guard.entered(reply);
                  });
            })
        .whenComplete(
            (left, failure) -> {
              if (failure != null) {
                guard.voter().notEntered();
              }
            });
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
    guard.start(context);
    guard.repeat(context, () -> context.executor().execute(this::enter));
  }

  @Override
  public void close() {
    guard.close();
    super.close();
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return vote(request, 0);
  }

  @Override
  public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
    return guard.take(request.ttl(), () -> guarded(request, proposal), this::enter);
  }

  private CompletionStage<AcquireResult> guarded(AcquireRequest request, long proposal) {
    Keys keys = keys(request.key().name());
    List<String> arguments =
        new ArrayList<>(
            List.of(
                request.key().token(),
                millis(request.ttl()),
                Long.toString(proposal),
                Integer.toString(request.handOvers())));
    arguments.addAll(guard.voter().guardArguments(NodeVoter.ASK));
    RedissonScriptCall call =
        call(
            RedissonScript.NODE_ACQUIRE,
            "acquire",
            keys.name(),
            List.of(keys.lock(), keys.fence(), client.marker()),
            arguments.toArray(String[]::new));
    return acquire(call, request.key(), reply -> Replies.acquire(reply, request.ttl()));
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    Keys keys = keys(lease.name());
    return scripts.number(
        call(
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
    return guard.voter().id();
  }

  @Override
  public void partOf(Supplier<Membership> membership) {
    guard.voter().partOf(membership);
  }
}
