package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.PermitStore.Permits;
import dev.leasehold.lock.spi.RenewRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * Semaphores, whatever the client: which script each operation is, and what it is told. Immutable.
 */
public final class PermitScripts {
  private static final byte[] STAY_OUT = {'0'};
  private static final byte[] LEAVE = {'2'};
  private static final byte[] KEEP_PLACE = {'3'};
  private static final byte[] LINE_TTL = ascii("150000");

  /** For how long permits are kept for a waiter that was woken, as a plain lock is. */
  private static final byte[] KEPT = ascii("500");

  private static final int NANOS_PER_MICRO = 1000;

  private final String storeId;
  private final KeySpace space;
  private final Script acquire;

  /**
   * For one store.
   *
   * @param storeId begins this store's waiters, and ends its channels; without a colon
   */
  public PermitScripts(String storeId, KeySpace space) {
    this(storeId, space, Script.PERMITS_ACQUIRE);
  }

  private PermitScripts(String storeId, KeySpace space, Script acquire) {
    this.storeId = storeId;
    this.space = space;
    this.acquire = acquire;
  }

  /**
   * For a store whose release may overtake an acquisition, since they go by several connections.
   *
   * @param storeId as with the other
   */
  public static PermitScripts bySeveralConnections(String storeId, KeySpace space) {
    return new PermitScripts(storeId, space, Script.SETNX_PERMITS_ACQUIRE);
  }

  /** With the key by which a release tells an acquisition that comes later. */
  private byte[][] withGone(byte[][] keys, LeaseKey lease) {
    byte[][] all = Arrays.copyOf(keys, keys.length + 1);
    all[keys.length] = space.gone(lease);
    return all;
  }

  /** Takes permits; {@link #acquired} tells what the answer means. */
  public ScriptRequest acquire(AcquireRequest request, int wanted, int of, Publishing how) {
    byte[] line =
        request.ifHeld() == IfHeld.ENQUEUE ? KEEP_PLACE : request.again() ? LEAVE : STAY_OUT;
    LeaseKey key = request.key();
    byte[][] keys = SeveralKeys.permits(space, key.name()).all();
    return new ScriptRequest(
        acquire,
        acquire == Script.PERMITS_ACQUIRE ? keys : withGone(keys, key),
        new byte[][] {
          ascii(key.token()),
          ascii(request.ttl().toMillis()),
          line,
          ascii(wanted),
          ascii(of),
          waiter(key),
          LINE_TTL,
          ascii(request.waited().toNanos() / NANOS_PER_MICRO),
          how.command(),
          how.prefix(),
          how.message(),
          how.counts(),
          KEPT
        });
  }

  /**
   * What the answer to {@link #acquire} means.
   *
   * @throws LockConfigurationException if the name has another number of permits
   */
  public static AcquireResult acquired(AcquireRequest request, int of, Object reply) {
    if (reply instanceof List<?> other) {
      throw PermitStore.anotherNumber(request.key().name(), of, (Long) other.get(1));
    }
    long number = (Long) reply;
    return number > 0
        ? new Granted(OptionalLong.empty(), request.ttl())
        : new Held(Duration.ofMillis(-1 - number));
  }

  /** Gives permits back; {@link Replies#release} tells what the answer means. */
  public ScriptRequest release(LeaseKey lease, int wanted, Publishing how) {
    return new ScriptRequest(
        Script.PERMITS_RELEASE,
        SeveralKeys.permits(space, lease.name()).all(),
        new byte[][] {
          ascii(lease.token()),
          ascii(wanted),
          how.command(),
          how.prefix(),
          how.message(),
          how.counts(),
          KEPT
        });
  }

  /** As {@link #release}, of a token whose acquisition may still be on its way. */
  public ScriptRequest releaseForGood(LeaseKey lease, int wanted, Publishing how) {
    ScriptRequest plain = release(lease, wanted, how);
    return new ScriptRequest(
        Script.LAST_PERMITS_RELEASE, withGone(plain.keys(), lease), plain.arguments());
  }

  /** Takes a waiter out of the line; the answer means nothing. */
  public ScriptRequest leave(LeaseKey waiter, int wanted, Publishing how) {
    return new ScriptRequest(
        Script.PERMITS_LEAVE,
        SeveralKeys.permits(space, waiter.name()).all(),
        new byte[][] {
          ascii(waiter.token()),
          ascii(wanted),
          how.command(),
          how.prefix(),
          how.message(),
          how.counts(),
          KEPT,
          waiter(waiter)
        });
  }

  /** Renews leases; {@link Replies#renew} tells what each of the answers means. */
  public ScriptRequest renew(List<RenewRequest> batch) {
    byte[][] keys = new byte[2 * batch.size()][];
    byte[][] arguments = new byte[2 * batch.size()][];
    for (int i = 0; i < batch.size(); i++) {
      RenewRequest request = batch.get(i);
      SeveralKeys its = SeveralKeys.permits(space, request.key().name());
      keys[2 * i] = its.holders();
      keys[2 * i + 1] = its.number();
      arguments[2 * i] = ascii(request.key().token());
      arguments[2 * i + 1] = ascii(request.ttl().toMillis());
    }
    return new ScriptRequest(Script.SEVERAL_RENEW, keys, arguments);
  }

  /** Counts; {@link #counted} tells what the answer means. */
  public ScriptRequest count(String name) {
    return new ScriptRequest(
        Script.PERMITS_COUNT, SeveralKeys.permits(space, name).all(), new byte[0][]);
  }

  /** What the answer to {@link #count} means. */
  public static Permits counted(List<?> reply) {
    return new Permits(((Long) reply.get(0)).intValue(), ((Long) reply.get(1)).intValue());
  }

  /** Changes the number of permits; the answer is the number that it is now. */
  public ScriptRequest resize(String name, int from, int to, Publishing how) {
    return new ScriptRequest(
        Script.PERMITS_RESIZE,
        SeveralKeys.permits(space, name).all(),
        new byte[][] {
          ascii(from), ascii(to), how.command(), how.prefix(), how.message(), how.counts(), KEPT
        });
  }

  private byte[] waiter(LeaseKey key) {
    return ascii(storeId + ':' + key.token());
  }

  private static byte[] ascii(long number) {
    return ascii(Long.toString(number));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
