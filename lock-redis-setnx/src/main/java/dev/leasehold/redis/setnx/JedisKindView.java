package dev.leasehold.redis.setnx;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.BlockingLeaseStore;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.lock.spi.WouldBlockException;
import dev.leasehold.redis.common.FencedScripts;
import dev.leasehold.redis.common.LateAcquisitions;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.ScriptRequest;
import dev.leasehold.redis.setnx.Attempts.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A kind of lock implemented by scripts, on a store's connections: how scripts are sent, whatever
 * the kind. The store itself is the view of plain locks. Thread-safe.
 */
abstract class JedisKindView extends BlockingLeaseStore {
  private final JedisRedis redis;
  private final WakeListener listener;
  private final LateAcquisitions late;

  /** The store itself, which is started later. */
  JedisKindView(JedisRedis redis, WakeListener listener) {
    this.redis = redis;
    this.listener = listener;
    this.late = new LateAcquisitions();
  }

  /** A view of a store that has started. */
  JedisKindView(JedisKindView store, StoreContext context) {
    this.redis = store.redis;
    this.listener = store.listener;
    this.late = store.late;
    start(context);
  }

  @Override
  protected final Optional<Cuttable> cuttable() {
    return CallersConversation.on(redis.background);
  }

  abstract ScriptRequest acquisition(AcquireRequest request);

  abstract AcquireResult acquired(AcquireRequest request, Object reply);

  /**
   * The script of a release.
   *
   * @param forGood whether the acquisition may arrive later, and must then do nothing
   */
  abstract ScriptRequest giving(LeaseKey lease, boolean forGood);

  abstract ScriptRequest giving(LeaseKey lease, FenceRun run);

  abstract ScriptRequest leaving(LeaseKey waiter);

  abstract ScriptRequest renewal(List<RenewRequest> batch);

  abstract Optional<ScriptRequest> inspection(String name);

  @Override
  protected final AcquireResult acquireNow(AcquireRequest request) {
    return take(
        "acquire", List.of(request.key()), acquisition(request), reply -> acquired(request, reply));
  }

  /**
   * Acquires what one script acquires.
   *
   * @param leases whose releases must know if the acquisition may arrive after them; not empty
   */
  final <T> T take(
      String operation, List<LeaseKey> leases, ScriptRequest script, Function<Object, T> meaning) {
    AtomicBoolean mayCome = new AtomicBoolean();
    leases.forEach(late::begin);
    try {
      Object reply =
          redis.talk(
              operation,
              script.kind(),
              leases.get(0).name(),
              script.keys()[0],
              conversation -> {
                mayCome.set(true);
                return conversation.script(script);
              });
      mayCome.set(false);
      return meaning.apply(Objects.requireNonNull(reply));
    } catch (WouldBlockException elsewhere) { // nothing was done, and it will be called again
      mayCome.set(false);
      throw elsewhere;
    } catch (LockStoreException failure) {
      if (Outcome.of(failure) == Outcome.KNOWN) {
        mayCome.set(false);
      }
      throw failure;
    } finally {
      if (!mayCome.get()) {
        leases.forEach(late::end);
      }
    }
  }

  /** As many leases as one script may have share a call. */
  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    int most = redis.takesManyKeys() ? FencedScripts.mostAtOnce() : 1;
    List<CompletionStage<RenewResult>> results = new ArrayList<>(batch.size());
    for (int from = 0; from < batch.size(); from += most) {
      List<RenewRequest> part = batch.subList(from, Math.min(batch.size(), from + most));
      CompletionStage<Renewed> replies = run(() -> renewAll(part));
      for (int i = 0; i < part.size(); i++) {
        int index = i;
        String name = part.get(i).key().name();
        results.add(replies.thenApply(all -> all.result(index, name)));
      }
    }
    return results;
  }

  /** The replies to a batch. */
  private record Renewed(LockKind kind, List<?> replies) {
    RenewResult result(int index, String name) {
      return Replies.renew(replies.get(index), kind, name);
    }
  }

  private Renewed renewAll(List<RenewRequest> part) {
    List<Object> all = new ArrayList<>(part.size());
    while (true) {
      List<RenewRequest> rest = part.subList(all.size(), part.size());
      ScriptRequest script = renewal(rest);
      List<?> replies =
          (List<?>) send(FencedScripts.renewing(rest), rest.get(0).key().name(), script);
      all.addAll(replies.subList(0, Replies.lookedAt(replies)));
      if (all.size() >= part.size()) {
        return new Renewed(script.kind(), all);
      }
    }
  }

  @Override
  protected final RenewResult renewNow(RenewRequest request) {
    return renewAll(List.of(request)).result(0, request.key().name());
  }

  @Override
  protected final ReleaseResult releaseNow(LeaseKey lease) {
    boolean mayCome = late.mayCome(lease);
    ReleaseResult result =
        Replies.release((Long) send("release", lease.name(), giving(lease, mayCome)));
    if (mayCome) {
      late.settled(lease);
    }
    return result;
  }

  @Override
  protected final ReleaseResult releaseNow(LeaseKey lease, FenceRun run) {
    return late.mayCome(lease)
        ? releaseNow(lease)
        : Replies.release((Long) send("release", lease.name(), giving(lease, run)));
  }

  @Override
  protected final void leaveNow(LeaseKey waiter) {
    send("leave", waiter.name(), leaving(waiter));
    left(waiter);
  }

  /** The server has confirmed that a waiter left. */
  void left(LeaseKey waiter) {}

  @Override
  public CompletionStage<Watch> watch(LeaseKey waiter, Runnable wakeUp) {
    return listener.watch(waiter.name(), wakeUp);
  }

  @Override
  protected final Optional<StoredLease> inspectNow(String name) {
    return inspection(name)
        .flatMap(
            script ->
                redis.talk(
                    "inspect",
                    script.kind(),
                    name,
                    script.keys()[0],
                    conversation -> Replies.inspect((List<?>) conversation.script(script))));
  }

  /** Whether an acquisition of this token may arrive after what is done now. */
  final boolean mayCome(LeaseKey lease) {
    return late.mayCome(lease);
  }

  /** The server refuses this token from now on. */
  final void settled(LeaseKey lease) {
    late.settled(lease);
  }

  @Override
  public Set<Guarantee> guarantees() {
    return FencedScripts.guaranteesOfKinds();
  }

  @Override
  public void close() {
    // The store closes what the views share.
  }

  final Object send(String operation, String lockName, ScriptRequest request) {
    return ask(operation, lockName, request, Objects::requireNonNull);
  }

  /**
   * The same with a reply that may be null.
   *
   * @param meaning parses the reply
   */
  final <T> T ask(
      String operation,
      String lockName,
      ScriptRequest request,
      Function<@Nullable Object, T> meaning) {
    return redis.talk(
        operation,
        request.kind(),
        lockName,
        request.keys()[0],
        conversation -> meaning.apply(conversation.script(request)));
  }

  /** Runs a blocking call on a thread where blocking is allowed. */
  final <T> CompletionStage<T> blocking(Supplier<T> call) {
    return run(call);
  }
}
