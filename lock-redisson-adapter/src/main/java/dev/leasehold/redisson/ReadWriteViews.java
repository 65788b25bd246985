package dev.leasehold.redisson;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.redis.common.Replies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Shares read/write locks with {@code RReadWriteLock}. Thread-safe. */
final class ReadWriteViews {
  /** Unused arguments of sides-take.lua, before that of readwrite-fence.lua. */
  private static final List<String> NOTHING = Collections.nCopies(9, "");

  private final Client client;
  private final Unlocks unlocks;
  private final Scripts scripts;

  ReadWriteViews(Client client, Unlocks unlocks, Scripts scripts) {
    this.client = client;
    this.unlocks = unlocks;
    this.scripts = scripts;
  }

  /** A side of a lock. */
  enum Side {
    /** Shared. */
    READ("r", "", LockKind.READ_LOCK),
    /** Exclusive. */
    WRITE("w", ":write", LockKind.WRITE_LOCK);

    private final String mode;
    private final String ending;
    private final LockKind kind;

    Side(String mode, String ending, LockKind kind) {
      this.mode = mode;
      this.ending = ending;
      this.kind = kind;
    }

    /** Its field in the lock's hash. */
    String holder(String token) {
      return token + ending;
    }
  }

  /** The read side. */
  LeaseStore reads() {
    return new View(Side.READ, "");
  }

  /** The read side for the holder of this write side. */
  LeaseStore readsBeside(LeaseKey write) {
    return new View(Side.READ, Side.WRITE.holder(write.token()));
  }

  /** The write side. */
  LeaseStore writes() {
    return new View(Side.WRITE, "");
  }

  private final class View implements LeaseStore {
    private final Side side;
    private final String beside;
    private final RedissonRenewals renewing;

    View(Side side, String beside) {
      this.side = side;
      this.beside = beside;
      this.renewing =
          new RedissonRenewals(
              client, scripts, RedissonScript.SIDES_RENEW, side.kind, this::renewed, this::holder);
    }

    private String holder(LeaseKey lease) {
      return side.holder(lease.token());
    }

    private List<String> renewed(LeaseKey lease) {
      Keys keys = client.keys(lease.name());
      return List.of(keys.lock(), keys.endOf(holder(lease)));
    }

    private List<String> keys(LeaseKey lease) {
      Keys keys = client.keys(lease.name());
      return List.of(
          keys.lock(),
          keys.ends(),
          keys.sidesChannel(),
          keys.endOf(holder(lease)),
          keys.sidesFences());
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
              List.of(holder(key), Long.toString(request.ttl().toMillis()), side.mode, beside));
      arguments.addAll(NOTHING);
      arguments.add(Integer.toString(request.handOvers()));
      List<String> keys = new ArrayList<>(keys(key));
      keys.add(client.keys(key.name()).gone(key.token()));
      return scripts.acquisition(
          new RedissonScriptCall(
              RedissonScript.SIDES_ACQUIRE, "acquire", side.kind, key.name(), keys, arguments),
          key,
          answer -> {
            AcquireResult result = Replies.acquire(answer.reply(), request.ttl());
            return answer.isInDoubt(result)
                ? answer.withdrawn(() -> release(key))
                : CompletableFuture.completedFuture(result);
          });
    }

    @Override
    public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
      List<RenewRequest> allowed =
          batch.stream().filter(each -> tooLong(each.key(), each.ttl()).isEmpty()).toList();
      var answers = renewing.renew(allowed).iterator();
      return batch.stream()
          .map(
              each ->
                  tooLong(each.key(), each.ttl())
                      .map(CompletableFuture::<RenewResult>failedStage)
                      .orElseGet(answers::next))
          .toList();
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease) {
      return released(lease);
    }

    @Override
    public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
      return released(lease, Long.toString(run.used()), Long.toString(run.last()));
    }

    private CompletionStage<ReleaseResult> released(LeaseKey lease, String... run) {
      List<String> arguments = new ArrayList<>(List.of(holder(lease), unlocks.publishCommand()));
      arguments.addAll(List.of(run));
      RedissonScriptCall release =
          new RedissonScriptCall(
              RedissonScript.SIDES_RELEASE,
              "release",
              side.kind,
              lease.name(),
              keys(lease),
              arguments);
      return scripts.ending(
          side.kind,
          lease,
          client.keys(lease.name()),
          () -> scripts.number(release, Replies::release));
    }

    @Override
    public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
      return unlocks.watchSides(client.keys(waiter.name()), wakeUp);
    }

    @Override
    public CompletionStage<Optional<StoredLease>> inspect(String name) {
      Keys keys = client.keys(name);
      return scripts.list(
          RedissonScriptCall.of(
                  RedissonScript.SIDES_INSPECT,
                  "inspect",
                  name,
                  List.of(keys.lock(), keys.ends(), keys.sidesFences()),
                  side.mode)
              .about(side.kind),
          reply -> Replies.inspect(reply).map(View::known));
    }

    /**
     * Omits the fence for a holder through Redisson's own locks, which has none: the last one is
     * ours.
     */
    private static StoredLease known(StoredLease stored) {
      return ForeignHolder.of(stored.token()).isPresent()
          ? new StoredLease(stored.token(), stored.remaining(), OptionalLong.empty())
          : stored;
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

    @Override
    public void close() {
      // The store closes what the views share.
    }
  }
}
