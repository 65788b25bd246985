package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import java.util.Arrays;
import java.util.List;

/**
 * Read/write locks, whatever the client: which script each operation is, and what it is told.
 * Immutable.
 */
public final class ReadWriteScripts {
  private static final byte[] STAY_OUT = {'0'};
  private static final byte[] LEAVE = {'2'};
  private static final byte[] KEEP_PLACE = {'3'};
  private static final byte[] LINE_TTL = ascii("150000");
  private static final byte[] KEPT = ascii("500");
  private static final byte[] NOBODY = {};
  private static final int NANOS_PER_MICRO = 1000;

  /** A side of a lock. */
  public enum Side {
    /** Shared. */
    READ('r'),
    /** Exclusive. */
    WRITE('w');

    private final byte[] mode;

    Side(char mode) {
      this.mode = new byte[] {(byte) mode};
    }
  }

  private final String storeId;
  private final KeySpace space;
  private final Script acquire;

  /**
   * For one store.
   *
   * @param storeId begins this store's waiters, and ends its channels; without a colon
   */
  public ReadWriteScripts(String storeId, KeySpace space) {
    this(storeId, space, Script.READ_WRITE_ACQUIRE);
  }

  private ReadWriteScripts(String storeId, KeySpace space, Script acquire) {
    this.storeId = storeId;
    this.space = space;
    this.acquire = acquire;
  }

  /**
   * For a store whose release may overtake an acquisition, since they go by several connections.
   *
   * @param storeId as with the other
   */
  public static ReadWriteScripts bySeveralConnections(String storeId, KeySpace space) {
    return new ReadWriteScripts(storeId, space, Script.SETNX_READ_WRITE_ACQUIRE);
  }

  /** With the key by which a release tells an acquisition that comes later. */
  private byte[][] withGone(byte[][] keys, LeaseKey lease) {
    byte[][] all = Arrays.copyOf(keys, keys.length + 1);
    all[keys.length] = space.gone(lease);
    return all;
  }

  private byte[][] keys(String name) {
    return new byte[][] {
      space.beside(name, ":readers"),
      space.beside(name, ":rw:wait"),
      space.beside(name, ":rw:door"),
      space.beside(name, ":writer"),
      space.beside(name, ":rw:fences")
    };
  }

  /**
   * Takes a side; {@link Replies#acquire} tells what the answer means.
   *
   * @param beside the token of a writer that a reader may stand beside; empty for none
   */
  public ScriptRequest acquire(AcquireRequest request, Side side, String beside, Publishing how) {
    byte[] line =
        request.ifHeld() == IfHeld.ENQUEUE ? KEEP_PLACE : request.again() ? LEAVE : STAY_OUT;
    LeaseKey key = request.key();
    byte[][] keys = keys(key.name());
    return new ScriptRequest(
        acquire,
        acquire == Script.READ_WRITE_ACQUIRE ? keys : withGone(keys, key),
        new byte[][] {
          ascii(key.token()),
          ascii(request.ttl().toMillis()),
          line,
          side.mode,
          beside.isEmpty() ? NOBODY : ascii(beside),
          waiter(key),
          LINE_TTL,
          ascii(request.waited().toNanos() / NANOS_PER_MICRO),
          how.command(),
          how.prefix(),
          how.message(),
          how.counts(),
          KEPT,
          ascii(request.handOvers())
        });
  }

  /** Gives a side back; {@link Replies#release} tells what the answer means. */
  public ScriptRequest release(LeaseKey lease, Side side, Publishing how) {
    return new ScriptRequest(
        Script.READ_WRITE_RELEASE, keys(lease.name()), leaving(lease, side, how));
  }

  /** As {@link #release}, of a token whose acquisition may still be on its way. */
  public ScriptRequest releaseForGood(LeaseKey lease, Side side, Publishing how) {
    ScriptRequest plain = release(lease, side, how);
    return new ScriptRequest(
        Script.LAST_READ_WRITE_RELEASE, withGone(plain.keys(), lease), plain.arguments());
  }

  /** As {@link #release}, of a lease that has fencing numbers left. */
  public ScriptRequest release(LeaseKey lease, Side side, FenceRun run, Publishing how) {
    ScriptRequest plain = release(lease, side, how);
    byte[][] arguments = Arrays.copyOf(plain.arguments(), plain.arguments().length + 2);
    arguments[arguments.length - 2] = ascii(run.used());
    arguments[arguments.length - 1] = ascii(run.last());
    return new ScriptRequest(plain.script(), plain.keys(), arguments);
  }

  /** Takes a waiter out of the line; the answer means nothing. */
  public ScriptRequest leave(LeaseKey waiter, Side side, Publishing how) {
    byte[][] plain = leaving(waiter, side, how);
    byte[][] arguments = Arrays.copyOf(plain, plain.length + 1);
    arguments[plain.length] = waiter(waiter);
    return new ScriptRequest(Script.READ_WRITE_LEAVE, keys(waiter.name()), arguments);
  }

  private static byte[][] leaving(LeaseKey key, Side side, Publishing how) {
    return new byte[][] {
      ascii(key.token()), side.mode, how.command(), how.prefix(), how.message(), how.counts(), KEPT
    };
  }

  /** Renews leases of one side; {@link Replies#renew} tells what each of the answers means. */
  public ScriptRequest renew(List<RenewRequest> batch, Side side) {
    if (side == Side.WRITE) {
      return FencedScripts.renew(batch, name -> space.beside(name, ":writer"));
    }
    byte[][] keys = new byte[2 * batch.size()][];
    byte[][] arguments = new byte[2 * batch.size()][];
    for (int i = 0; i < batch.size(); i++) {
      RenewRequest request = batch.get(i);
      keys[2 * i] = space.beside(request.key().name(), ":readers");
      keys[2 * i + 1] = space.beside(request.key().name(), ":rw:fences");
      arguments[2 * i] = ascii(request.key().token());
      arguments[2 * i + 1] = ascii(request.ttl().toMillis());
    }
    return new ScriptRequest(Script.SEVERAL_RENEW, keys, arguments);
  }

  /** Looks at a side; {@link Replies#inspect} tells what the answer means. */
  public ScriptRequest inspect(String name, Side side) {
    return new ScriptRequest(Script.READ_WRITE_INSPECT, keys(name), new byte[][] {side.mode});
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
