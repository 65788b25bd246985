package dev.leasehold.redisson;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.ReadWriteScripts.Side;
import dev.leasehold.redis.common.Replies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Shares a side of read/write locks with {@code RReadWriteLock}. Thread-safe. */
final class SideView extends RedissonView {
  /** Unused arguments of sides-take.lua, before that of readwrite-fence.lua. */
  private static final List<String> NOTHING = Collections.nCopies(9, "");

  private final Side side;
  private final String beside;

  /**
   * A side.
   *
   * @param beside the write side's holder that this reader may coexist with; empty for none
   */
  SideView(Client client, Unlocks unlocks, Scripts scripts, Side side, String beside) {
    super(client, unlocks, scripts, side.kind(), RedissonScript.SIDES_RENEW);
    this.side = side;
    this.beside = beside;
  }

  @Override
  String holder(LeaseKey lease) {
    return side == Side.WRITE ? writer(lease) : lease.token();
  }

  /** A writer's field in the lock's hash. */
  static String writer(LeaseKey lease) {
    return lease.token() + ":write";
  }

  @Override
  List<String> renewed(LeaseKey lease) {
    Keys keys = keys(lease.name());
    return List.of(keys.lock(), keys.endOf(holder(lease)));
  }

  private List<String> allKeys(LeaseKey lease) {
    Keys keys = keys(lease.name());
    return List.of(
        keys.lock(),
        keys.ends(),
        keys.sidesChannel(),
        keys.endOf(holder(lease)),
        keys.sidesFences());
  }

  @Override
  Optional<LockConfigurationException> refusal(RenewRequest request) {
    return tooLong(request.key(), request.ttl());
  }

  /**
   * A plain reader's renewal sets the time to live of the lock, for all readers, to its client's
   * {@code lockWatchdogTimeout}. If it then dies, a longer lease of another reader would be cut,
   * and a writer admitted.
   */
  private Optional<LockConfigurationException> tooLong(LeaseKey key, Duration ttl) {
    Duration most = client.watchdogTimeout();
    return side == Side.WRITE || ttl.compareTo(most) <= 0
        ? Optional.empty()
        : Optional.of(
            new LockConfigurationException(
                "read lease of "
                    + Setting.written(ttl)
                    + " on "
                    + Quoted.name(key.name())
                    + " is longer than the client's lockWatchdogTimeout, "
                    + Setting.written(most)
                    + ", to which renewals of plain readers may cut it. Take at most that, or"
                    + " raise it for all clients"));
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    LeaseKey key = request.key();
    Optional<LockConfigurationException> refusal = tooLong(key, request.ttl());
    if (refusal.isPresent()) {
      return CompletableFuture.failedFuture(refusal.get());
    }
    List<String> arguments =
        new ArrayList<>(
            List.of(holder(key), Long.toString(request.ttl().toMillis()), side.mode(), beside));
    arguments.addAll(NOTHING);
    arguments.add(Integer.toString(request.handOvers()));
    List<String> keys = new ArrayList<>(allKeys(key));
    keys.add(keys(key.name()).gone(key.token()));
    return acquire(
        call(
            RedissonScript.SIDES_ACQUIRE,
            "acquire",
            key.name(),
            keys,
            arguments.toArray(String[]::new)),
        key,
        reply -> Replies.acquire(reply, request.ttl()));
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    return released(lease, holder(lease), unlocks.publishCommand());
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    return released(
        lease,
        holder(lease),
        unlocks.publishCommand(),
        Long.toString(run.used()),
        Long.toString(run.last()));
  }

  private CompletionStage<ReleaseResult> released(LeaseKey lease, String... arguments) {
    return ending(
        call(RedissonScript.SIDES_RELEASE, "release", lease.name(), allKeys(lease), arguments),
        lease,
        Replies::release);
  }

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return unlocks.watchSides(keys(waiter.name()), wakeUp);
  }

  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    Keys keys = keys(name);
    List<String> read = List.of(keys.lock(), keys.ends(), keys.sidesFences());
    return inspect(call(RedissonScript.SIDES_INSPECT, "inspect", name, read, side.mode()));
  }

  /** Without WRITERS_TURN: plain readers do not check whether a writer is waiting. */
  @Override
  public Set<Guarantee> guarantees() {
    return EnumSet.of(
        Guarantee.OWNED,
        Guarantee.SERVER_EXPIRY,
        Guarantee.CLOCK_INDEPENDENT,
        Guarantee.WAKE_UP,
        Guarantee.FENCING);
  }
}
