package dev.leasehold.redisson;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.NodeVoter;
import dev.leasehold.redis.common.RedisErrors;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.set.RawConnection;
import dev.leasehold.testkit.sim.SimCall.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@link NodeStore} without Redisson, whose classes need its connections: the production scripts
 * with the same arguments.
 */
public final class AdapterNode implements QuorumNode, MinimumHold {
  private static final String MARKER = "lh:node";

  private final RawConnection connection;
  private final NodeVoter voter;

  /** Connects, and registers with the server if it is reachable. */
  public AdapterNode(RawConnection connection, Duration longestLease) {
    this.connection = connection;
    this.voter = new NodeVoter(longestLease, KeySpace.WHOLE);
    connection.atOnce(enter());
  }

  private List<String> enter() {
    return AdapterScripts.eval(
        RedissonScript.ENTER, List.of(MARKER), voter.enterArguments(connection.runId()));
  }

  private static String millis(Duration time) {
    return Long.toString(time.toMillis());
  }

  private CompletableFuture<Object> send(
      Operation operation,
      String name,
      RedissonScript script,
      List<String> keys,
      String... arguments) {
    return connection.send(operation, name, AdapterScripts.eval(script, keys, List.of(arguments)));
  }

  private static Keys keys(LeaseKey key) {
    return new Keys(key.name(), key.name());
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    return vote(request, 0);
  }

  @Override
  public CompletionStage<AcquireResult> vote(AcquireRequest request, long proposal) {
    Keys keys = keys(request.key());
    List<String> nodes = voter.guardArguments(NodeVoter.ASK);
    CompletableFuture<Object> sent =
        send(
            Operation.ACQUIRE,
            keys.name(),
            RedissonScript.NODE_ACQUIRE,
            List.of(keys.lock(), keys.fence(), MARKER),
            request.key().token(),
            millis(request.ttl()),
            Long.toString(proposal),
            Integer.toString(request.handOvers()),
            nodes.get(0),
            nodes.get(1),
            nodes.get(2),
            nodes.get(3));
    sent.whenComplete(
        (reply, failure) -> {
          if (failure != null && RedisErrors.isUnknownRun(String.valueOf(failure.getMessage()))) {
            connection.send(Operation.INSPECT, MARKER, enter());
          }
        });
    return sent.thenApply(reply -> Replies.acquire(reply, request.ttl()));
  }

  @Override
  public CompletionStage<RenewResult> raise(LeaseKey lease, long fence, int handOvers) {
    Keys keys = keys(lease);
    return send(
            Operation.RAISE,
            lease.name(),
            RedissonScript.RAISE,
            List.of(keys.lock(), keys.fence()),
            lease.token(),
            Long.toString(fence),
            Integer.toString(handOvers))
        .thenApply(reply -> reply.equals(1L) ? RenewResult.RENEWED : RenewResult.NOT_OWNER);
  }

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    List<String> locks = new ArrayList<>();
    List<String> arguments = new ArrayList<>();
    for (RenewRequest request : batch) {
      locks.add(keys(request.key()).lock());
      arguments.add(request.key().token());
      arguments.add(millis(request.ttl()));
    }
    arguments.add("0");
    String name = batch.get(0).key().name();
    CompletableFuture<Object> sent =
        send(Operation.RENEW, name, RedissonScript.RENEW, locks, arguments.toArray(String[]::new));
    List<CompletionStage<RenewResult>> each = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      int index = i;
      each.add(
          sent.thenApply(
              reply -> Replies.renew(((List<?>) reply).get(index), LockKind.LOCK, name)));
    }
    return each;
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    Keys keys = keys(lease);
    return send(
            Operation.RELEASE,
            lease.name(),
            RedissonScript.RELEASE,
            List.of(keys.lock(), keys.channel()),
            lease.token(),
            "PUBLISH")
        .thenApply(reply -> Replies.release((Long) reply));
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    List<String> lock = List.of(keys(lease).lock());
    return send(
            Operation.KEEP, lease.name(), RedissonScript.KEEP, lock, lease.token(), millis(rest))
        .thenApply(reply -> Replies.keep((Long) reply));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    Keys keys = keys(lease);
    return send(
            Operation.RELEASE,
            lease.name(),
            RedissonScript.RELEASE_RUN,
            List.of(keys.lock(), keys.channel(), keys.fence()),
            lease.token(),
            "PUBLISH",
            Long.toString(run.used()),
            Long.toString(run.last()))
        .thenApply(reply -> Replies.release((Long) reply));
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return connection
        .subscribe(keys(waiter).channel(), waiter.name(), wakeUp)
        .thenApply(stop -> stop::run);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    Keys keys = new Keys(name, name);
    return send(Operation.INSPECT, name, RedissonScript.INSPECT, List.of(keys.lock(), keys.fence()))
        .thenApply(reply -> Replies.inspect((List<?>) reply));
  }

  @Override
  public Set<Guarantee> guarantees() {
    return EnumSet.of(
        Guarantee.OWNED,
        Guarantee.SERVER_EXPIRY,
        Guarantee.CLOCK_INDEPENDENT,
        Guarantee.WAKE_UP,
        Guarantee.FENCING,
        Guarantee.MINIMUM_HOLD);
  }

  @Override
  public void close() {}
}
