package dev.leasehold.redis.setnx;

import static dev.leasehold.redis.common.Arguments.ascii;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import dev.leasehold.redis.common.Eviction;
import dev.leasehold.redis.common.KeySpace;
import dev.leasehold.redis.common.RedisSettings;
import dev.leasehold.redis.setnx.Attempts.Outcome;
import dev.leasehold.redis.setnx.Compare.Reads;
import dev.leasehold.redis.setnx.Compare.Seen;
import dev.leasehold.redis.setnx.Compare.Step;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol;

/**
 * Locks in the format of existing clients ({@link TimestampFormat}): the name is the key, the end
 * of the lease its value, and nothing else is written. Thread-safe.
 *
 * <p>The stored value and its meaning are those clients'. The way of writing it is not: where they
 * take over by GETSET and release by DEL, this store compares with what it read (WATCH, MULTI,
 * EXEC). It never overwrites or deletes a lock that another client holds, nor one of its own that
 * may have been taken over.
 *
 * <p>Since a value does not identify its owner, the store remembers which value it wrote for which
 * token, and considers a lock its own while exactly that value is there. This is no proof: two
 * clients may write the same value in the same second. If the answer to a write was lost, the value
 * is not even likely to be its own, so the store does not treat it as such, and the lock stays
 * until its time has passed. A value that is not of the format is refused as {@link Kind#REFUSED},
 * with key and value in the message.
 */
final class ForeignFormatStore extends ComparingStore {
  private static final byte[] PX = {'P', 'X'};

  private final TimestampFormat format;
  private final Written written = new Written();

  private final KeySpace space;

  /** A store that owns its {@link JedisRedis}. */
  ForeignFormatStore(
      JedisRedis redis,
      WallClock clock,
      Eviction eviction,
      KeySpace space,
      TimestampFormat format) {
    super(redis, clock, eviction);
    this.space = space;
    this.format = format;
  }

  private Reads reads(String operation, String lockName) {
    byte[] key = space.plain(lockName);
    return new Reads(
        operation,
        lockName,
        new byte[][] {key},
        format.hasTimeToLive()
            ? Optional.of(Command.of(Protocol.Command.PTTL, key))
            : Optional.empty());
  }

  // ---- acquire ----

  /** The result of an acquisition, and what it leaves on the server. */
  private record Answer(AcquireResult result, Optional<Own> own) {}

  /**
   * What was written.
   *
   * @param micros the time then, in microseconds since 1970
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Own(byte[] value, long micros) {}

  @Override
  AcquireResult ask(AcquireRequest request) {
    LeaseKey lease = request.key();
    Reads reads = reads("acquire", lease.name());
    byte[] before = written.of(lease);
    Answer answer =
        taken(
                lease,
                reads,
                seen -> refusal(reads, seen, before),
                seen -> take(request, reads.keys()[0], seen))
            .orElseGet(() -> new Answer(new Held(Duration.ZERO), Optional.empty()));
    remember(lease, answer.own());
    if (attempts.isWithdrawn(lease)) {
      releaseNow(lease); // the release that withdrew it came too early to find it
    }
    return answer.result();
  }

  /** Empty if the lock is free, has expired, or has the value written for the token. */
  private Optional<Answer> refusal(Reads reads, Seen seen, byte @Nullable [] own) {
    return own != null && Arrays.equals(seen.value(), own)
        ? Optional.empty()
        : left(reads, seen)
            .map(left -> new Held(left.orElse(Held.ENDLESS), format.resolution()))
            .map(held -> new Answer(held, Optional.empty()));
  }

  private Step<Answer> take(AcquireRequest request, byte[] key, Seen seen) {
    Granted granted = new Granted(OptionalLong.empty(), request.ttl());
    byte[] value = format.write(seen.micros(), request.ttl());
    Answer answer = new Answer(granted, Optional.of(new Own(value, seen.micros())));
    byte[] found = seen.value();
    if (found == null) {
      return Step.write(answer, take(key, value, seen));
    }
    // An own lease that lasts longer stays: this is a repeated request that arrives after a
    // renewal.
    return over(found) >= over(value)
        ? Step.leave(new Answer(granted, Optional.of(new Own(found, seen.micros()))))
        : Step.write(answer, set(key, value, seen));
  }

  private Command[] take(byte[] key, byte[] value, Seen seen) {
    Command taken = Command.of(Protocol.Command.SETNX, key, value);
    return format.hasTimeToLive()
        ? new Command[] {taken, Command.of(Protocol.Command.PEXPIRE, key, timeToLive(value, seen))}
        : new Command[] {taken};
  }

  private Command set(byte[] key, byte[] value, Seen seen) {
    return format.hasTimeToLive()
        ? Command.of(Protocol.Command.SET, key, value, PX, timeToLive(value, seen))
        : Command.of(Protocol.Command.SET, key, value);
  }

  /**
   * Until the end in the value. Some clients give their own locks no end and don't read the value:
   * they wait until the key is gone.
   */
  private byte[] timeToLive(byte[] value, Seen seen) {
    long millis = -Math.floorDiv(seen.micros() - over(value), 1000L);
    return ascii(Math.max(1, millis));
  }

  // ---- renew and release ----

  @Override
  protected RenewResult renewNow(RenewRequest request) {
    LeaseKey lease = request.key();
    byte[] own = written.of(lease);
    if (own == null) {
      return RenewResult.NOT_OWNER;
    }
    Reads reads = reads("renew", lease.name());
    Optional<Own> renewed = compare.run(reads, seen -> renewal(request, reads, own, seen));
    remember(lease, renewed);
    return renewed.isPresent() ? RenewResult.RENEWED : RenewResult.NOT_OWNER;
  }

  private Step<Optional<Own>> renewal(RenewRequest request, Reads reads, byte[] own, Seen seen) {
    if (!isHeld(own, seen)) {
      return Step.leave(Optional.empty());
    }
    byte[] longer = format.write(seen.micros(), request.ttl());
    return over(longer) <= over(own)
        ? Step.leave(Optional.of(new Own(own, seen.micros())))
        : Step.write(
            Optional.of(new Own(longer, seen.micros())), set(reads.keys()[0], longer, seen));
  }

  @Override
  protected ReleaseResult releaseNow(LeaseKey lease) {
    return giveBack(
        lease,
        (key, own, seen) ->
            Step.write(ReleaseResult.RELEASED, Command.of(Protocol.Command.DEL, key)));
  }

  /** Shortens the time in the value, by which all clients judge, and never extends it. */
  @Override
  ReleaseResult keepNow(LeaseKey lease, Duration rest) {
    return giveBack(
        lease,
        (key, own, seen) -> {
          byte[] shorter = format.write(seen.micros(), rest);
          return over(shorter) < over(own)
              ? Step.write(ReleaseResult.KEPT, set(key, shorter, seen))
              : Step.leave(ReleaseResult.KEPT);
        });
  }

  /** How a lease is given back that has not expired. */
  private interface End {
    Step<ReleaseResult> of(byte[] key, byte[] own, Seen seen);
  }

  private ReleaseResult giveBack(LeaseKey lease, End end) {
    boolean onTheirWay = attempts.withdraw(lease);
    byte[] own = written.of(lease);
    ReleaseResult result;
    if (own != null) {
      result = tried(lease, own, end);
    } else {
      result = ReleaseResult.NOT_OWNER;
      if (onTheirWay) {
        touch(lease);
      }
    }
    attempts.settled(lease);
    return result;
  }

  /**
   * Changes the key that acquisitions watch, without a visible effect: an acquisition of this token
   * whose writes are still in flight then does nothing. Not needed if the lock is held, since then
   * the key has changed.
   */
  private void touch(LeaseKey lease) {
    Reads reads = reads("release", lease.name());
    byte[] key = reads.keys()[0];
    compare.run(
        reads,
        seen ->
            left(reads, seen).isPresent()
                ? Step.leave(lease)
                : Step.write(
                    lease,
                    Command.of(Protocol.Command.SET, key, key),
                    Command.of(Protocol.Command.DEL, key)));
  }

  private ReleaseResult tried(LeaseKey lease, byte[] own, End end) {
    Reads reads = reads("release", lease.name());
    try {
      return compare.run(
          reads,
          seen -> {
            // Before it is sent: if the answer is lost, the same value may be another client's.
            written.forget(lease);
            return isHeld(own, seen)
                ? end.of(reads.keys()[0], own, seen)
                : Step.leave(ReleaseResult.NOT_OWNER);
          });
    } catch (LockStoreException failure) {
      if (Outcome.of(failure) == Outcome.KNOWN) {
        written.put(lease, own, over(own), 0); // refused, so it is still there
      }
      throw failure;
    }
  }

  /** Whether an own value is on the server and has not expired. */
  private boolean isHeld(byte[] own, Seen seen) {
    return Arrays.equals(own, seen.value()) && seen.micros() < over(own);
  }

  private void remember(LeaseKey lease, Optional<Own> own) {
    own.ifPresentOrElse(
        it -> written.put(lease, it.value(), over(it.value()), it.micros()),
        () -> written.forget(lease));
  }

  // ---- what is stored ----

  /**
   * The time for which the lock is still held.
   *
   * @return empty if it is free or has expired; an empty time if it has no end
   */
  private Optional<Optional<Duration>> left(Reads reads, Seen seen) {
    byte[] value = seen.value();
    if (value == null) {
      return Optional.empty();
    }
    if (format.isEndless(value)) {
      long ttl = seen.beside() instanceof Long pttl ? pttl : -1;
      return Optional.of(ttl < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(ttl)));
    }
    OptionalLong over = format.over(value);
    if (over.isEmpty()) {
      throw foreign(reads.keys()[0], value, "of format " + RedisSettings.id(format));
    }
    long micros = over.getAsLong() - seen.micros();
    return micros <= 0 ? Optional.empty() : Optional.of(Optional.of(WallClock.span(micros)));
  }

  /** The end of an own value, or of one that has been checked. */
  private long over(byte[] value) {
    return format.over(value).orElseThrow();
  }

  @Override
  protected Optional<StoredLease> inspectNow(String name) {
    Reads reads = reads("inspect", name);
    return compare.read(
        reads,
        seen ->
            left(reads, seen)
                .map(
                    left ->
                        new StoredLease(
                            new String(Objects.requireNonNull(seen.value()), UTF_8),
                            left.orElse(WallClock.FOR_EVER),
                            OptionalLong.empty())));
  }

  /** Values don't identify their owners, and the lease's end depends on clocks. */
  @Override
  public Set<Guarantee> guarantees() {
    return EnumSet.of(Guarantee.MINIMUM_HOLD);
  }
}
