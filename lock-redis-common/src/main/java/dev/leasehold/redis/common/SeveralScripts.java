package dev.leasehold.redis.common;

import static dev.leasehold.redis.common.Arguments.ascii;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import java.util.List;
import java.util.function.Function;

/**
 * Arguments common to all locks with several holders: those of {@code several-*.lua}. Each kind
 * adds its keys, its mode and its own scripts' arguments. Immutable.
 */
final class SeveralScripts {
  private static final byte[] STAY_OUT = {'0'};
  private static final byte[] LEAVE = {'2'};
  private static final byte[] KEEP_PLACE = {'3'};

  private static final int NANOS_PER_MICRO = 1000;

  /** How late a request may be on a busy machine. */
  private static final int LATE_MILLIS = 2000;

  private final String storeId;
  private final KeySpace space;
  private final Script acquire;

  /**
   * For one store.
   *
   * @param storeId prefix of this store's waiters, and suffix of its channels; without a colon
   */
  SeveralScripts(String storeId, KeySpace space, Script acquire) {
    this.storeId = storeId;
    this.space = space;
    this.acquire = acquire;
  }

  /** Acquires a share. */
  ScriptRequest acquire(
      AcquireRequest request, byte[][] keys, byte[] mode, byte[] beside, Publishing how) {
    byte[] line =
        request.ifHeld() == IfHeld.ENQUEUE ? KEEP_PLACE : request.again() ? LEAVE : STAY_OUT;
    LeaseKey key = request.key();
    return new ScriptRequest(
        acquire,
        withGone(keys, key),
        new byte[][] {
          ascii(key.token()),
          ascii(request.ttl().toMillis()),
          line,
          mode,
          beside,
          waiter(request.waiter()),
          ascii(goodFor(request)),
          ascii(request.waited().toNanos() / NANOS_PER_MICRO),
          how.command(),
          how.prefix(),
          how.message(),
          how.counts(),
          Arguments.KEPT
        });
  }

  /**
   * A place outlasts two requests that are lost or late; only then the waiter is considered dead.
   */
  private static long goodFor(AcquireRequest request) {
    return 2 * request.asksWithin().toMillis() + LATE_MILLIS;
  }

  /** The arguments of a release. */
  static byte[][] giving(LeaseKey lease, byte[] mode, Publishing how) {
    return giving(lease, mode, how, 0).all();
  }

  private static Arguments giving(LeaseKey lease, byte[] mode, Publishing how, int more) {
    return new Arguments(2 + Arguments.SERVING + more).add(lease.token()).add(mode).serving(how);
  }

  /** The arguments of a leave. */
  byte[][] leaving(LeaseKey waiter, byte[] mode, Publishing how) {
    return giving(waiter, mode, how, 1).add(waiter(waiter)).all();
  }

  /** A release by another script, for a token whose acquisition may still be in flight. */
  ScriptRequest forGood(Script last, ScriptRequest release, LeaseKey lease) {
    return new ScriptRequest(
        last, withGone(release.keys(), lease), release.arguments(), release.kind());
  }

  /** Renews leases. */
  static ScriptRequest renew(
      List<RenewRequest> batch, Function<String, byte[]> holders, Function<String, byte[]> beside) {
    Arguments keys = new Arguments(2 * batch.size());
    Arguments arguments = new Arguments(2 * batch.size());
    for (RenewRequest request : batch) {
      String name = request.key().name();
      keys.add(holders.apply(name)).add(beside.apply(name));
      arguments.add(request.key().token()).add(request.ttl().toMillis());
    }
    return new ScriptRequest(Script.SEVERAL_RENEW, keys.all(), arguments.all());
  }

  /** Adds the key by which an acquisition that arrives after its release is recognized. */
  private byte[][] withGone(byte[][] keys, LeaseKey lease) {
    return new Arguments(keys.length + 1).addAll(keys).add(space.gone(lease)).all();
  }

  private byte[] waiter(LeaseKey key) {
    return ascii(storeId + ':' + key.token());
  }
}
