package dev.leasehold.redis.setnx;

import static dev.leasehold.redis.common.Arguments.ascii;
import static java.nio.charset.StandardCharsets.UTF_8;

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
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.LockKeys;
import dev.leasehold.redis.common.RedisErrors;
import dev.leasehold.redis.common.StoredFence;
import dev.leasehold.redis.setnx.Compare.Reads;
import dev.leasehold.redis.setnx.Compare.Seen;
import dev.leasehold.redis.setnx.Compare.Step;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;

/**
 * Scheme {@code setnx-timestamp}, for servers where scripts are not permitted. Thread-safe.
 *
 * <p>The pattern of Redis' SETNX page, made safe. The lock's value has the end of the lease and the
 * holder's token ({@link TimestampValue}); a client that finds it expired by the {@link WallClock}
 * takes it over. Every change is compared with what was read, by WATCH and MULTI. The pattern takes
 * over by GETSET, so that a loser overwrites the winner's value, and releases by DEL, so that a
 * late holder frees its successor's lock; here neither writes anything. The key's time to live is
 * far longer than the lease, and only for clean-up.
 *
 * <p>A value that is not of this form is refused as {@link Kind#REFUSED} with key and value in the
 * message: its writer has other rules for when the lock is held, and both taking it and waiting for
 * it would be wrong.
 */
final class TimestampStore extends ComparingStore {
  private static final Duration CLEAN_UP = Duration.ofDays(1);
  private static final String FENCE_TTL = Long.toString(Duration.ofDays(1).toMillis());

  private final KeySpace space;

  /** A store that owns its {@link JedisRedis}. */
  TimestampStore(JedisRedis redis, WallClock clock, Eviction eviction, KeySpace space) {
    super(redis, clock, eviction);
    this.space = space;
  }

  private static Reads reads(String operation, String lockName, LockKeys keys) {
    return new Reads(
        operation,
        lockName,
        new byte[][] {keys.lock(), keys.fence()},
        Optional.of(Command.of(Protocol.Command.GET, keys.fence())));
  }

  // ---- acquire ----

  @Override
  AcquireResult ask(AcquireRequest request) {
    LeaseKey lease = request.key();
    LockKeys keys = space.keys(lease.name());
    Reads reads = reads("acquire", lease.name(), keys);
    return taken(
            lease, reads, seen -> refusal(lease, keys, seen), seen -> take(request, keys, seen))
        .orElseGet(() -> new Held(Duration.ZERO));
  }

  /** Empty if the lock is free, has expired or is the token's own. */
  private static Optional<AcquireResult> refusal(LeaseKey lease, LockKeys keys, Seen seen) {
    return holder(keys, seen)
        .filter(held -> !held.isOver(seen.micros()) && !held.token().equals(lease.token()))
        .map(held -> new Held(held.left(seen.micros())));
  }

  private static Step<AcquireResult> take(AcquireRequest request, LockKeys keys, Seen seen) {
    LeaseKey lease = request.key();
    Optional<TimestampValue> before = holder(keys, seen);
    Optional<StoredFence> last = fence(keys, seen.beside());
    boolean again = before.isPresent() && !before.get().isOver(seen.micros());
    TimestampValue mine = TimestampValue.lasting(request.ttl(), seen.micros(), lease.token());
    if (again && before.get().end() > mine.end()) {
      mine = before.get(); // a repeated request may arrive after a renewal
    }
    StoredFence fence =
        again && last.isPresent()
            ? new StoredFence(last.get().last(), 0)
            : StoredFence.drawn(
                Math.max(last.map(StoredFence::last).orElse(0L) + 1, seen.micros()),
                again ? 0 : request.handOvers(),
                seen.micros());
    if (fence.last() >= StoredFence.TOO_LARGE) {
      throw new LockStoreException(
          Kind.REFUSED,
          RedisErrors.message("acquire", LockKind.LOCK, lease.name())
              + ": the clock is beyond 2255, later than a fencing token can hold");
    }
    Granted granted = new Granted(OptionalLong.of(fence.first()), fence.handOvers(), request.ttl());
    Command counted = set(keys.fence(), fence.bytes(), FENCE_TTL);
    String cleanUp = cleanUp(mine, seen.micros());
    return before.isPresent()
        ? Step.write(granted, set(keys.lock(), mine.bytes(), cleanUp), counted)
        : Step.write(
            granted,
            Command.of(Protocol.Command.SETNX, keys.lock(), mine.bytes()),
            Command.of(Protocol.Command.PEXPIRE, keys.lock(), ascii(cleanUp)),
            counted);
  }

  // ---- renew and release ----

  @Override
  protected RenewResult renewNow(RenewRequest request) {
    LeaseKey lease = request.key();
    LockKeys keys = space.keys(lease.name());
    Reads reads = new Reads("renew", lease.name(), new byte[][] {keys.lock()}, Optional.empty());
    return compare.run(
        reads,
        seen -> {
          Optional<TimestampValue> own = own(lease, seen);
          if (own.isEmpty() || own.get().isOver(seen.micros())) {
            return Step.leave(RenewResult.NOT_OWNER);
          }
          TimestampValue longer =
              TimestampValue.lasting(request.ttl(), seen.micros(), lease.token());
          return longer.end() <= own.get().end()
              ? Step.leave(RenewResult.RENEWED)
              : Step.write(
                  RenewResult.RENEWED,
                  set(keys.lock(), longer.bytes(), cleanUp(longer, seen.micros())));
        });
  }

  @Override
  protected ReleaseResult releaseNow(LeaseKey lease) {
    return giveBack(
        lease,
        ReleaseResult.NOT_OWNER,
        (keys, own, seen) ->
            Step.write(ReleaseResult.RELEASED, Command.of(Protocol.Command.DEL, keys.lock())));
  }

  @Override
  protected ReleaseResult releaseNow(LeaseKey lease, FenceRun run) {
    return giveBack(
        lease,
        ReleaseResult.NOT_OWNER,
        (keys, own, seen) -> {
          Command free = Command.of(Protocol.Command.DEL, keys.lock());
          boolean isLast =
              fence(keys, seen.beside()).filter(fence -> fence.last() == run.last()).isPresent();
          return isLast
              ? Step.write(
                  ReleaseResult.RELEASED, free, set(keys.fence(), ascii(run.used()), FENCE_TTL))
              : Step.write(ReleaseResult.RELEASED, free);
        });
  }

  @Override
  ReleaseResult keepNow(LeaseKey lease, Duration rest) {
    return giveBack(
        lease,
        ReleaseResult.KEPT,
        (keys, own, seen) -> {
          TimestampValue kept = own.tombstone(rest, seen.micros());
          String cleanUp = cleanUp(kept, seen.micros());
          return Step.write(ReleaseResult.KEPT, set(keys.lock(), kept.bytes(), cleanUp));
        });
  }

  /** How a lease is given back that has not expired. */
  private interface End {
    Step<ReleaseResult> of(LockKeys keys, TimestampValue own, Seen seen);
  }

  /**
   * Ends a lease.
   *
   * @param repeated the result if its tombstone is already there
   */
  private ReleaseResult giveBack(LeaseKey lease, ReleaseResult repeated, End end) {
    boolean onTheirWay = attempts.withdraw(lease);
    LockKeys keys = space.keys(lease.name());
    Reads reads = reads("release", lease.name(), keys);
    ReleaseResult result =
        compare.run(
            reads,
            seen -> {
              Optional<TimestampValue> own = own(lease, seen);
              if (own.isPresent()) {
                // An expired value that is still there was not taken over: it is only cleaned
                // up.
                return own.get().isOver(seen.micros())
                    ? Step.write(
                        ReleaseResult.NOT_OWNER, Command.of(Protocol.Command.DEL, keys.lock()))
                    : end.of(keys, own.get(), seen);
              }
              if (has(TimestampValue.tombstone(lease.token()), seen)) {
                return Step.leave(repeated);
              }
              return onTheirWay
                  ? Step.write(ReleaseResult.NOT_OWNER, touchFence(keys, seen))
                  : Step.leave(ReleaseResult.NOT_OWNER);
            });
    attempts.settled(lease);
    return result;
  }

  /**
   * Changes a key that acquisitions watch: an acquisition of this token whose writes are still in
   * flight, such as in the buffer of a paused server, then does nothing.
   */
  private static Command touchFence(LockKeys keys, Seen seen) {
    return seen.beside() == null
        ? set(keys.fence(), ascii(seen.micros()), FENCE_TTL)
        : Command.of(Protocol.Command.PEXPIRE, keys.fence(), ascii(FENCE_TTL));
  }

  // ---- inspect ----

  @Override
  protected Optional<StoredLease> inspectNow(String name) {
    LockKeys keys = space.keys(name);
    return compare.read(
        reads("inspect", name, keys),
        seen ->
            holder(keys, seen)
                .filter(held -> !held.isOver(seen.micros()))
                .map(
                    held ->
                        new StoredLease(
                            held.token(),
                            held.left(seen.micros()),
                            fence(keys, seen.beside())
                                .map(fence -> OptionalLong.of(fence.first()))
                                .orElse(OptionalLong.empty()))));
  }

  // ---- what is stored ----

  private static Optional<TimestampValue> own(LeaseKey lease, Seen seen) {
    return of(lease.token(), seen);
  }

  private static boolean has(String token, Seen seen) {
    return of(token, seen).isPresent();
  }

  private static Optional<TimestampValue> of(String token, Seen seen) {
    return Optional.ofNullable(seen.value())
        .flatMap(TimestampValue::parse)
        .filter(held -> held.token().equals(token));
  }

  /** The lock's current or last holder. */
  private static Optional<TimestampValue> holder(LockKeys keys, Seen seen) {
    byte[] value = seen.value();
    if (value == null) {
      return Optional.empty();
    }
    Optional<TimestampValue> parsed = TimestampValue.parse(value);
    if (parsed.isEmpty()) {
      throw foreign(keys.lock(), value, "'<end in ms>:<label>:<secret>'");
    }
    return parsed;
  }

  private static Optional<StoredFence> fence(LockKeys keys, @Nullable Object value) {
    if (value == null) {
      return Optional.empty();
    }
    Optional<StoredFence> fence = StoredFence.parse(new String((byte[]) value, UTF_8));
    if (fence.isEmpty()) {
      throw foreign(keys.fence(), (byte[]) value, "a fence");
    }
    return fence;
  }

  private static String cleanUp(TimestampValue value, long micros) {
    return Long.toString(value.left(micros).plus(CLEAN_UP).toMillis());
  }

  private static Command set(byte[] key, byte[] value, String ttl) {
    return Command.of(Protocol.Command.SET, key, value, ascii("PX"), ascii(ttl));
  }

  @Override
  public Set<Guarantee> guarantees() {
    return EnumSet.of(Guarantee.OWNED, Guarantee.FENCING, Guarantee.MINIMUM_HOLD);
  }
}
