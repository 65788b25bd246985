package dev.leasehold.redis.set;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoreContext;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.lock.spi.Ticker;
import dev.leasehold.redis.common.CompareAndDelete;
import dev.leasehold.redis.common.LockKeys;
import dev.leasehold.redis.common.NativeDeletes;
import dev.leasehold.redis.common.RedisErrors;
import dev.leasehold.redis.common.Replies;
import dev.leasehold.redis.common.StoredFence;
import dev.leasehold.redis.common.TwoSteps;
import dev.leasehold.redis.set.Pipeline.Step;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fenced mode where scripts are switched off, on a server that compares by itself: each step is one
 * command, {@code SET … NX}, {@code SET … IFEQ} or {@link CompareAndDelete}. It writes the same
 * keys and values as the scripts, so that clients with and without scripts exclude each other. It
 * has no queue and no wake-ups; waiters poll. Thread-safe.
 *
 * <p>A grant takes two round trips:
 *
 * <ol>
 *   <li>{@code SET NX} reserves the free lock, as a release does for a woken waiter: {@code +} and
 *       the token. In the same write, or in a third round trip if others held the lock before, the
 *       server's time and the last fence are read.
 *   <li>The token is written in place of the reservation, and then the next fence in place of the
 *       one that was read. Only if both were still there is the lock granted.
 * </ol>
 *
 * <p>Fences increase from grant to grant. Each replaces exactly the one that it was computed from,
 * so no other token was granted the lock after that was read; and when it is replaced, the lock's
 * value is already the token. If the lease has ended by then, a later holder may have read the same
 * fence, and has to read again.
 *
 * <p>A reservation that is not confirmed ends after the command time-out, also that of a request
 * that arrives after its release.
 */
final class CommandStore implements MinimumHold {
  private static final String RESERVED = "+";
  private static final String KEPT = "-";

  /** More than one is needed if a reservation has expired, or another client's request was late. */
  private static final int TRIES = 5;

  private final LettuceDriver driver;
  private final StoreOptions options;
  private final CompareAndDelete deletes;
  private final LongestTtls longestTtls = new LongestTtls(Ticker.system());
  private volatile Duration reservedFor = Duration.ofSeconds(1);

  /** A store that owns its driver. */
  CommandStore(LettuceDriver driver, CompareAndDelete deletes) {
    this.driver = driver;
    this.options = driver.options;
    this.deletes = deletes;
  }

  @Override
  public void start(StoreContext context) {
    driver.start(context);
    reservedFor = context.commandTimeout();
  }

  private LockKeys keys(LeaseKey lease) {
    return options.keys().keys(lease.name());
  }

  private <R> Pipeline<R> pipeline(
      String operation,
      String name,
      Function<List<@Nullable Object>, R> meaning,
      List<Step> steps) {
    return new Pipeline<>(driver.redis, operation, name, steps, meaning);
  }

  private static <A, B> CompletionStage<B> then(
      Pipeline<A> first, Function<A, CompletionStage<B>> second) {
    return new TwoSteps<>(first.send(), () -> second.apply(first.join()));
  }

  // ---- acquire ----

  /** A lock's value and its time to live in milliseconds. */
  private record Found(@Nullable String value, long left) {
    static Found of(List<@Nullable Object> replies) {
      return new Found(Pipeline.text(replies.get(0)), (Long) replies.get(1));
    }

    /**
     * Whether the lock was free (then it is reserved for this lease now), was reserved for this
     * lease, or is the lease's own.
     */
    boolean isFor(LeaseKey lease) {
      return value == null || value.equals(RESERVED + lease.token()) || value.equals(lease.token());
    }
  }

  /** All replies to the first step. */
  private record Seen(Found found, LastFence fence) {
    static Seen of(List<@Nullable Object> replies) {
      return new Seen(Found.of(replies), LastFence.of(replies));
    }
  }

  @Override
  public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
    LeaseKey lease = request.key();
    longestTtls.asked(lease.token(), request.ttl());
    return new FreedIfRefused(attempt(request, TRIES).toCompletableFuture(), () -> release(lease));
  }

  private CompletionStage<AcquireResult> attempt(AcquireRequest request, int tries) {
    LeaseKey lease = request.key();
    LockKeys keys = keys(lease);
    long millis = Math.min(request.ttl().toMillis(), reservedFor.toMillis());
    List<Step> reserving =
        List.of(
            Step.set(keys.lock(), RESERVED + lease.token(), "NX", "GET", "PX", millis),
            Step.of(CommandType.PTTL, keys.lock()));
    List<Step> reading = LastFence.steps(keys.fence());
    if (request.waited().isZero()) {
      return then(
          pipeline("acquire", lease.name(), Seen::of, joined(reserving, reading)),
          seen ->
              seen.found().isFor(lease)
                  ? draw(request, seen.found(), seen.fence(), tries)
                  : held(lease, seen.found()));
    }
    // A waiter is refused many times, and reads the fence only when it is not.
    return then(
        pipeline("acquire", lease.name(), Found::of, reserving),
        found ->
            found.isFor(lease)
                ? then(
                    pipeline("acquire", lease.name(), LastFence::of, reading),
                    fence -> draw(request, found, fence, tries))
                : held(lease, found));
  }

  private static List<Step> joined(List<Step> first, List<Step> then) {
    return Stream.of(first, then).flatMap(List::stream).toList();
  }

  private CompletionStage<AcquireResult> held(LeaseKey lease, Found found) {
    longestTtls.forget(lease.token());
    return CompletableFuture.completedFuture(
        new Held(found.left() == -1 ? Held.ENDLESS : Duration.ofMillis(Math.max(0, found.left()))));
  }

  private CompletionStage<AcquireResult> draw(
      AcquireRequest request, Found found, LastFence last, int tries) {
    LeaseKey lease = request.key();
    LockKeys keys = keys(lease);
    Optional<StoredFence> drawn = last.next(request.handOvers());
    if (drawn.isEmpty()) {
      return refused(lease, last);
    }
    StoredFence fence = drawn.get();
    // Granted before, but perhaps without a fence of its own; and renewed since, perhaps.
    boolean again = lease.token().equals(found.value());
    String value = again ? lease.token() : RESERVED + lease.token();
    long millis = Math.max(request.ttl().toMillis(), again ? found.left() : 0);
    Pipeline<Boolean> grant =
        pipeline(
            "acquire",
            lease.name(),
            replies -> !replies.contains(null),
            List.of(
                Step.set(keys.lock(), lease.token(), "IFEQ", value, "PX", millis),
                last.replacedBy(fence, keys.fence())));
    grant.acknowledged(options, granted -> granted, () -> release(lease));
    return then(
        grant,
        granted -> {
          if (granted) {
            return CompletableFuture.completedFuture(
                new Granted(OptionalLong.of(fence.first()), fence.handOvers(), request.ttl()));
          }
          return tries > 1 ? attempt(request, tries - 1) : overtaken(lease);
        });
  }

  private static CompletionStage<AcquireResult> overtaken(LeaseKey lease) {
    return CompletableFuture.failedFuture(
        new LockStoreException(
            Kind.UNAVAILABLE,
            what(lease) + ": what it had read was changed meanwhile, " + TRIES + " times"));
  }

  private static CompletionStage<AcquireResult> refused(LeaseKey lease, LastFence last) {
    String why =
        last.text() == null
            ? "the server's clock is later than a fencing token can hold"
            : "after " + Quoted.text(last.text()) + " there is no fencing token";
    return CompletableFuture.failedFuture(
        new LockStoreException(Kind.REFUSED, what(lease) + ": " + why));
  }

  private static String what(LeaseKey lease) {
    return RedisErrors.message("acquire", LockKind.LOCK, lease.name());
  }

  // ---- renew and release ----

  @Override
  public List<CompletionStage<RenewResult>> renew(List<RenewRequest> batch) {
    return batch.stream().map(this::renew).toList();
  }

  /** {@code SET … PX} may shorten a lease, so its end is read first where it may be later. */
  private CompletionStage<RenewResult> renew(RenewRequest request) {
    LeaseKey lease = request.key();
    boolean longest = longestTtls.isLongest(lease.token(), request.ttl());
    longestTtls.asked(lease.token(), request.ttl());
    if (longest) {
      return renew(lease, request.ttl().toMillis());
    }
    return then(
        pipeline(
            "renew",
            lease.name(),
            replies -> (Long) replies.get(0),
            List.of(Step.of(CommandType.PTTL, keys(lease).lock()))),
        left -> renew(lease, Math.max(left, request.ttl().toMillis())));
  }

  private CompletionStage<RenewResult> renew(LeaseKey lease, long millis) {
    Pipeline<RenewResult> call =
        pipeline(
            "renew",
            lease.name(),
            replies -> replies.get(0) == null ? RenewResult.NOT_OWNER : RenewResult.RENEWED,
            List.of(
                Step.set(keys(lease).lock(), lease.token(), "IFEQ", lease.token(), "PX", millis)));
    call.acknowledged(options, result -> true, () -> CompletableFuture.completedFuture(null));
    return call.send();
  }

  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease) {
    longestTtls.forget(lease.token());
    return released(lease, deletion(lease, lease.token()));
  }

  /** After a hand-over, the last fence can't be derived from its run, and stays. */
  @Override
  public CompletionStage<ReleaseResult> release(LeaseKey lease, FenceRun run) {
    longestTtls.forget(lease.token());
    return released(
        lease,
        returned(lease, run, false),
        returned(lease, run, true),
        deletion(lease, lease.token()));
  }

  /** Replaces a fence with this mark, or without, by the last number that was used. */
  private Step returned(LeaseKey lease, FenceRun run, boolean marked) {
    String drawn = new StoredFence(run.used(), (int) (run.last() - run.used())).text(marked);
    String used = new StoredFence(run.used(), 0).text(marked);
    long millis = StoredFence.TTL.toMillis();
    return Step.set(keys(lease).fence(), used, "IFEQ", drawn, "PX", millis);
  }

  /**
   * A lock that is not the token's may be reserved for it, by an acquisition that was given up. Its
   * confirmation may come before the reservation is deleted, so the token is deleted once more.
   */
  private CompletionStage<ReleaseResult> released(LeaseKey lease, Step... steps) {
    return then(
        deleting(lease, steps),
        done ->
            done == ReleaseResult.RELEASED
                ? CompletableFuture.completedFuture(done)
                : deleting(
                        lease,
                        deletion(lease, RESERVED + lease.token()),
                        deletion(lease, lease.token()))
                    .send());
  }

  private Step deletion(LeaseKey lease, String value) {
    return Step.delete(deletes, keys(lease).lock(), value);
  }

  private Pipeline<ReleaseResult> deleting(LeaseKey lease, Step... steps) {
    return pipeline(
        "release",
        lease.name(),
        replies -> replies.contains(1L) ? ReleaseResult.RELEASED : ReleaseResult.NOT_OWNER,
        List.of(steps));
  }

  @Override
  public CompletionStage<ReleaseResult> keep(LeaseKey lease, Duration rest) {
    longestTtls.forget(lease.token());
    byte[] key = keys(lease).lock();
    String kept = KEPT + lease.token();
    return then(
        pipeline(
            "release and keep",
            lease.name(),
            Found::of,
            List.of(Step.of(CommandType.GET, key), Step.of(CommandType.PTTL, key))),
        found -> {
          if (!lease.token().equals(found.value())) {
            return CompletableFuture.completedFuture(
                kept.equals(found.value()) ? ReleaseResult.KEPT : ReleaseResult.NOT_OWNER);
          }
          // As it was a round trip ago.
          long left = found.left() < 0 ? Long.MAX_VALUE : Math.max(1, found.left());
          return pipeline(
                  "release and keep",
                  lease.name(),
                  replies -> replies.get(0) == null ? ReleaseResult.NOT_OWNER : ReleaseResult.KEPT,
                  List.of(
                      Step.set(
                          key, kept, "IFEQ", lease.token(), "PX", Math.min(left, rest.toMillis()))))
              .send();
        });
  }

  // ---- the rest ----

  /** If the holder changes while it is read, it is returned without its fence. */
  @Override
  public CompletionStage<Optional<StoredLease>> inspect(String name) {
    LockKeys keys = options.keys().keys(name);
    return pipeline(
            "inspect",
            name,
            CommandStore::holder,
            List.of(
                Step.of(CommandType.GET, keys.lock()),
                Step.of(CommandType.PTTL, keys.lock()),
                Step.of(CommandType.GET, keys.fence()),
                Step.of(CommandType.GET, keys.lock())))
        .send();
  }

  private static Optional<StoredLease> holder(List<@Nullable Object> replies) {
    String value = Pipeline.text(replies.get(0));
    if (value == null || value.startsWith(RESERVED)) {
      return Optional.empty();
    }
    Object fence = value.equals(Pipeline.text(replies.get(3))) ? replies.get(2) : null;
    return Replies.inspect(Arrays.asList(NativeDeletes.unmarked(value), replies.get(1), fence));
  }

  @Override
  public Set<Guarantee> guarantees() {
    return EnumSet.of(
        Guarantee.OWNED,
        Guarantee.SERVER_EXPIRY,
        Guarantee.CLOCK_INDEPENDENT,
        Guarantee.FENCING,
        Guarantee.MINIMUM_HOLD);
  }

  @Override
  public void close() {
    driver.close();
  }
}
