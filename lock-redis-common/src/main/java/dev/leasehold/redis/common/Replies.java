package dev.leasehold.redis.common;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.lock.spi.StoredLease;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Parses the scripts' replies, which are described in the scripts' headers. */
public final class Replies {
  private static final ReleaseResult[] RELEASE = {
    ReleaseResult.NOT_OWNER,
    ReleaseResult.RELEASED,
    ReleaseResult.RELEASED_AND_WOKE,
    ReleaseResult.PASSED_ON
  };

  private static final Long NOT_LOOKED_AT = 2L;

  private Replies() {}

  /** The reply of acquire.lua: a number, or a list of two to four. */
  public static AcquireResult acquire(Object reply, Duration ttl) {
    long number = (Long) (reply instanceof List<?> list ? list.get(0) : reply);
    if (number <= 0) {
      return reply instanceof List<?> list ? held(number, list) : held(number);
    }
    if (!(reply instanceof List<?> run)) {
      return new Granted(OptionalLong.of(number), ttl);
    }
    int handOvers = ((Long) run.get(1)).intValue();
    boolean wanted = run.size() > 2 && (Long) run.get(2) > 0;
    return new Granted(OptionalLong.of(number), handOvers, ttl, List.of(), wanted);
  }

  private static Held held(long number, List<?> reply) {
    Held held = held(number, reply.get(1));
    if (reply.size() > 2) {
      held = held.behind(((Long) reply.get(2)).intValue());
    }
    return reply.size() > 3 ? held.asRecalled() : held;
  }

  /**
   * The reply about a lock that is held.
   *
   * @param token of the holder, if its lease can be recalled; else empty
   */
  static Held held(long reply, Object token) {
    String text = text(token);
    return text.isEmpty() ? held(reply) : Held.recallable(held(reply).retryAfter(), text);
  }

  /** The reply of a script that acquires without a fence, as plain-acquire.lua. */
  public static AcquireResult withoutFence(long reply, Duration ttl) {
    return reply > 0 ? new Granted(OptionalLong.empty(), ttl) : held(reply);
  }

  /** The reply of release.lua and plain-release.lua. */
  public static ReleaseResult release(long reply) {
    return RELEASE[(int) reply];
  }

  /** The reply of keep.lua. */
  public static ReleaseResult keep(long reply) {
    return reply == 1 ? ReleaseResult.KEPT : ReleaseResult.NOT_OWNER;
  }

  /** How many leases of a batch were processed, at least one; the rest is to be sent again. */
  public static int lookedAt(List<?> replies) {
    int rest = replies.indexOf(NOT_LOOKED_AT);
    return rest < 0 ? replies.size() : Math.max(1, rest);
  }

  /**
   * One reply of renew.lua.
   *
   * @throws LockStoreException if it is an error
   */
  public static RenewResult renew(Object reply, LockKind kind, String name) {
    if (reply instanceof Long number) {
      return number == 1 ? RenewResult.RENEWED : RenewResult.NOT_OWNER;
    }
    throw RedisErrors.of(text(reply), "renew", kind, name);
  }

  /** The reply of inspect.lua. */
  public static Optional<StoredLease> inspect(@Nullable List<?> reply) {
    if (reply == null || reply.isEmpty() || reply.get(0) == null) {
      return Optional.empty();
    }
    long pttl = (Long) reply.get(1);
    Object fence = reply.size() > 2 ? reply.get(2) : null;
    return Optional.of(
        new StoredLease(
            text(reply.get(0)),
            // Another program's lock without an expiry: the longest Duration in nanoseconds.
            pttl == -1 ? Duration.ofNanos(Long.MAX_VALUE) : Duration.ofMillis(Math.max(0, pttl)),
            fence(fence)));
  }

  /**
   * A malformed fence is left for the next acquisition to report: the holder is worth returning
   * anyway.
   */
  private static OptionalLong fence(@Nullable Object reply) {
    return StoredFence.parse(reply == null ? "" : text(reply))
        .map(fence -> OptionalLong.of(fence.first()))
        .orElse(OptionalLong.empty());
  }

  private static Held held(long reply) {
    return new Held(Duration.ofMillis(-1 - reply));
  }

  /** A text, of a client that decodes texts or one that does not. */
  static String text(Object reply) {
    return reply instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : String.valueOf(reply);
  }
}
