package dev.leasehold.controls;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Redlock in its simplest form, without fencing and wake-ups. It has no flaw; each control changes
 * one step.
 */
class QuorumSketch implements LeaseStore {
  private static final Duration FIRST_RETRY = Duration.ofMillis(20);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(1);
  private static final AtomicLong ATTEMPTS = new AtomicLong();

  final List<? extends LeaseStore> nodes;
  private final Set<Guarantee> believed;
  private @Nullable StoreContext lent;
  private volatile boolean closed;

  /** The name of a token on the nodes; a name that was released on any node is not used again. */
  private final Map<String, LeaseKey> keys = new ConcurrentHashMap<>();

  private final Set<String> used = ConcurrentHashMap.newKeySet();

  /** A quorum whose author claims these besides what all quorums keep. */
  QuorumSketch(List<? extends LeaseStore> nodes, Guarantee... more) {
    this.nodes = nodes;
    this.believed =
        Set.of(
            OwnedStore.with(
                more,
                Guarantee.OWNED,
                Guarantee.SERVER_EXPIRY,
                Guarantee.CLOCK_INDEPENDENT,
                Guarantee.QUORUM));
  }

  @Override
  public final void start(StoreContext context) {
    lent = context;
    nodes.forEach(node -> node.start(context));
  }

  StoreContext context() {
    return Objects.requireNonNull(lent, "not started");
  }

  // ---- steps that controls change ----

  /** How many nodes are enough. */
  int needed() {
    return nodes.size() / 2 + 1;
  }

  /** The time-out of one node. */
  Duration nodeTimeout(Duration lease) {
    long millis = Math.max(5, Math.min(500, lease.toMillis() / 20));
    return Duration.ofMillis(millis);
  }

  /** The remaining lease; the engine counts from the request and deducts drift itself. */
  Duration validity(Duration lease, Duration elapsed) {
    return lease;
  }

  /** An attempt has failed. */
  void failed(LeaseKey key) {
    releaseAll(key);
  }

  /** The result if too few nodes answered. */
  AcquireResult tooFew(AnswerRound<AcquireResult> votes) {
    throw new LockStoreException(Kind.UNAVAILABLE, "too few nodes: " + votes);
  }

  /** Processes the votes before they count. */
  CompletionStage<OptionalLong> fence(
      LeaseKey key, Duration lease, AnswerRound<AcquireResult> votes) {
    return CompletableFuture.completedFuture(OptionalLong.empty());
  }

  /** Asks all nodes in parallel. */
  <T> CompletableFuture<AnswerRound<T>> ask(
      Duration lease, Function<LeaseStore, CompletionStage<T>> call, Predicate<T> yes) {
    AnswerRound<T> round = new AnswerRound<>(nodes.size(), needed(), yes);
    for (LeaseStore node : nodes) {
      call.apply(node).whenComplete(round::heard);
    }
    context().scheduler().schedule(nodeTimeout(lease), round::end);
    return round.ended();
  }

  // ---- the rest ----

  @Override
  public final CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    long sentAt = context().ticker().nanos();
    LeaseKey key = keys.computeIfAbsent(request.key().token(), token -> fresh(request.key()));
    AcquireRequest asked = new AcquireRequest(key, request.ttl(), request.ifHeld());
    CompletableFuture<AcquireResult> result = new CompletableFuture<>();
    result.whenComplete(
        (answer, failure) -> {
          if (result.isCancelled()) {
            keys.remove(request.key().token(), key); // late votes are not the next attempt's
          }
        });
    ask(request.ttl(), node -> node.acquire(asked), answer -> answer instanceof Granted)
        .thenCompose(
            votes ->
                fence(key, request.ttl(), votes)
                    .thenApply(fence -> outcome(request, key, votes, fence, sentAt)))
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                result.completeExceptionally(failure);
              } else if (!result.complete(answer)) {
                fail(request.key(), key); // the caller has given up meanwhile
              }
            });
    return result;
  }

  private LeaseKey fresh(LeaseKey origin) {
    return used.add(origin.token())
        ? origin
        : new LeaseKey(origin.name(), origin.token() + "." + ATTEMPTS.incrementAndGet());
  }

  private AcquireResult outcome(
      AcquireRequest request,
      LeaseKey key,
      AnswerRound<AcquireResult> votes,
      OptionalLong fence,
      long sentAt) {
    Duration lease = request.ttl();
    Duration elapsed = Duration.ofNanos(context().ticker().nanos() - sentAt);
    if (votes.isWon()) {
      return new Granted(fence, validity(lease, elapsed));
    }
    fail(request.key(), key);
    List<Duration> others =
        votes.no().stream().map(no -> ((Held) no).retryAfter()).sorted().toList();
    int more = needed() - votes.yes().size();
    return more <= others.size() ? new Held(others.get(more - 1)) : tooFew(votes);
  }

  private void fail(LeaseKey origin, LeaseKey key) {
    keys.remove(origin.token(), key);
    failed(key);
  }

  @Override
  public final List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return batch.stream().map(this::renew).toList();
  }

  private CompletionStage<RenewResult> renew(RenewRequest request) {
    RenewRequest asked = new RenewRequest(known(request.key()), request.ttl());
    return ask(
            request.ttl(),
            node -> node.renew(List.of(asked)).get(0),
            answer -> answer == RenewResult.RENEWED)
        .thenApply(round -> round.choose(RenewResult.RENEWED, RenewResult.NOT_OWNER));
  }

  private LeaseKey known(LeaseKey origin) {
    return keys.getOrDefault(origin.token(), origin);
  }

  @Override
  public final CompletionStage<ReleaseResult> release(LeaseKey lease) {
    LeaseKey key = known(lease);
    keys.remove(lease.token());
    return releaseAll(key)
        .thenApply(round -> round.choose(ReleaseResult.RELEASED, ReleaseResult.NOT_OWNER));
  }

  private CompletableFuture<AnswerRound<ReleaseResult>> releaseAll(LeaseKey key) {
    return ask(
        Duration.ofSeconds(10),
        node -> releaseOn(node, key, FIRST_RETRY),
        answer -> answer != ReleaseResult.NOT_OWNER);
  }

  /** Repeats until the node has answered. */
  private CompletionStage<ReleaseResult> releaseOn(LeaseStore node, LeaseKey key, Duration pause) {
    CompletionStage<ReleaseResult> answer = node.release(key);
    answer.whenComplete(
        (result, failure) -> {
          if (failure != null && !closed) {
            Duration twice = pause.multipliedBy(2);
            Duration next = twice.compareTo(LONGEST_RETRY) < 0 ? twice : LONGEST_RETRY;
            context().scheduler().schedule(pause, () -> releaseOn(node, key, next));
          }
        });
    return answer;
  }

  @Override
  public final CompletionStage<Optional<StoredLease>> inspect(String name) {
    return ask(Duration.ofSeconds(10), node -> node.inspect(name), answer -> true)
        .thenApply(answers -> majority(answers.yes()));
  }

  private Optional<StoredLease> majority(List<Optional<StoredLease>> answers) {
    return answers.stream()
        .flatMap(Optional::stream)
        .collect(Collectors.groupingBy(StoredLease::token))
        .values()
        .stream()
        .filter(votes -> votes.size() >= needed())
        .findFirst()
        .flatMap(votes -> votes.stream().min(Comparator.comparing(StoredLease::remaining)));
  }

  @Override
  public final Set<Guarantee> guarantees() {
    return believed;
  }

  @Override
  public final void close() {
    closed = true;
    nodes.forEach(LeaseStore::close);
  }
}
