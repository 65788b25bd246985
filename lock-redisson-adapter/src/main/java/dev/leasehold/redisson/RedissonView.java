package dev.leasehold.redisson;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.RenewalBatches;
import dev.leasehold.redis.common.Replies;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A kind of lock on a store's client and channels: how scripts are sent and answered, whatever the
 * kind. The store itself is the view of plain locks. Thread-safe.
 */
abstract class RedissonView implements LeaseStore {
  final Client client;
  final Unlocks unlocks;
  final Scripts scripts;
  private final LockKind kind;
  private final RedissonScript renewal;

  /**
   * A view.
   *
   * @param renewal its arguments are each lease's keys, holder and time to live, and whether
   *     replicas are required
   */
  RedissonView(
      Client client, Unlocks unlocks, Scripts scripts, LockKind kind, RedissonScript renewal) {
    this.client = client;
    this.unlocks = unlocks;
    this.scripts = scripts;
    this.kind = kind;
    this.renewal = renewal;
  }

  final Keys keys(String name) {
    return client.keys(name);
  }

  final RedissonScriptCall call(
      RedissonScript script,
      String operation,
      String name,
      List<String> keys,
      String... arguments) {
    return new RedissonScriptCall(script, operation, kind, name, keys, List.of(arguments));
  }

  /** Acquires a lock. A grant that no replica has does not count. */
  final CompletionStage<AcquireResult> acquire(
      RedissonScriptCall call, LeaseKey lease, Function<Object, AcquireResult> meaning) {
    return scripts.acquisition(
        call,
        lease,
        answer -> {
          AcquireResult result = meaning.apply(Objects.requireNonNull(answer.reply()));
          if (answer.isInDoubt(result)) {
            return answer.withdrawn(() -> release(lease));
          }
          answered(lease, result);
          return CompletableFuture.completedFuture(result);
        });
  }

  /** An acquisition has been answered. */
  void answered(LeaseKey lease, AcquireResult result) {}

  /** Ends a lease by this call. */
  final CompletionStage<ReleaseResult> ending(
      RedissonScriptCall call, LeaseKey lease, LongFunction<ReleaseResult> meaning) {
    return scripts.ending(
        call.kind(), lease, keys(lease.name()), () -> scripts.number(call, meaning::apply));
  }

  /** A lease's keys for the renewal. */
  abstract List<String> renewed(LeaseKey lease);

  /** A lease's holder, as the scripts name it. */
  String holder(LeaseKey lease) {
    return lease.token();
  }

  /** Why a lease can't be renewed for that long. */
  Optional<? extends LockException> refusal(RenewRequest request) {
    return Optional.empty();
  }

  /**
   * In a cluster each lease has a call of its own, since their slots differ. If all renewals of a
   * call are cancelled, the call is withdrawn, and counts as not answered by the server.
   */
  @Override
  public final List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    List<RenewRequest> allowed = new ArrayList<>();
    List<@Nullable LockException> refusals = new ArrayList<>();
    for (RenewRequest request : batch) {
      LockException refusal = refusal(request).orElse(null);
      refusals.add(refusal);
      if (refusal == null) {
        allowed.add(request);
      }
    }
    Iterator<CompletionStage<RenewResult>> answers =
        RenewalBatches.renew(!client.isCluster(), allowed, this::renewAll).iterator();
    return refusals.stream()
        .map(
            refusal ->
                refusal == null
                    ? answers.next()
                    : CompletableFuture.<RenewResult>failedStage(refusal))
        .toList();
  }

  private CompletionStage<RenewalBatches.Reply> renewAll(List<RenewRequest> part) {
    List<String> keys = new ArrayList<>();
    List<String> arguments = new ArrayList<>(2 * part.size() + 1);
    try {
      for (RenewRequest request : part) {
        keys.addAll(renewed(request.key()));
        arguments.add(holder(request.key()));
        arguments.add(Long.toString(request.ttl().toMillis()));
      }
      arguments.add(scripts.asksReplicas() ? "1" : "0");
      String first = part.get(0).key().name();
      return scripts.replicated(
          new RedissonScriptCall(
              renewal, FencedScripts.renewing(part), kind, first, keys, arguments),
          answer -> CompletableFuture.completedFuture(reply(part, answer)));
    } catch (RuntimeException e) { // such as after the client's shutdown
      return CompletableFuture.failedFuture(e);
    }
  }

  /** A renewal that no replica has does not count; the write does no harm. */
  private RenewalBatches.Reply reply(List<RenewRequest> part, Answer answer) {
    List<?> replies = answer.reply() instanceof List<?> list ? list : List.of();
    return new RenewalBatches.Reply(
        replies,
        i -> {
          RenewResult result = Replies.renew(replies.get(i), kind, part.get(i).key().name());
          if (result == RenewResult.RENEWED && answer.doubt().isPresent()) {
            throw answer.doubt().get();
          }
          return result;
        });
  }

  /** Looks up a holder. */
  final CompletionStage<Optional<StoredLease>> inspect(RedissonScriptCall call) {
    return scripts.list(call, reply -> Replies.inspect(reply).map(this::known));
  }

  /**
   * Omits the fence for a holder through Redisson's own locks, which has none: the last one is
   * ours.
   */
  private StoredLease known(StoredLease stored) {
    return ForeignHolder.of(stored.token())
        .map(holder -> new StoredLease(shown(holder), stored.remaining(), OptionalLong.empty()))
        .orElse(stored);
  }

  /** The name of a holder through Redisson's own locks. */
  String shown(ForeignHolder holder) {
    return holder.field();
  }

  @Override
  public void close() {
    // The store closes what the views share.
  }
}
