package dev.leasehold.redis.common;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * What the scripts of locks with several holders are told, whichever kind it is: the arguments of
 * {@code several-*.lua}. A kind adds its keys, its mode and what only its own scripts know.
 * Immutable.
 */
final class SeveralScripts {
  private static final byte[] STAY_OUT = {'0'};
  private static final byte[] LEAVE = {'2'};
  private static final byte[] KEEP_PLACE = {'3'};
  private static final byte[] LINE_TTL = ascii("150000");

  /** For how long a share is kept for a waiter that was woken, as a plain lock is. */
  private static final byte[] KEPT = ascii("500");

  private static final int NANOS_PER_MICRO = 1000;

  private final String storeId;
  private final KeySpace space;
  private final Script acquire;
  private final boolean bySeveralConnections;

  /**
   * For one store.
   *
   * @param storeId begins this store's waiters, and ends its channels; without a colon
   * @param bySeveralConnections whether a release may overtake an acquisition
   */
  SeveralScripts(String storeId, KeySpace space, Script acquire, boolean bySeveralConnections) {
    this.storeId = storeId;
    this.space = space;
    this.acquire = acquire;
    this.bySeveralConnections = bySeveralConnections;
  }

  /** Takes a share. */
  ScriptRequest acquire(
      AcquireRequest request, byte[][] keys, byte[] mode, byte[] beside, Publishing how) {
    byte[] line =
        request.ifHeld() == IfHeld.ENQUEUE ? KEEP_PLACE : request.again() ? LEAVE : STAY_OUT;
    LeaseKey key = request.key();
    return new ScriptRequest(
        acquire,
        bySeveralConnections ? withGone(keys, key) : keys,
        new byte[][] {
          ascii(key.token()),
          ascii(request.ttl().toMillis()),
          line,
          mode,
          beside,
          waiter(request.waiter()),
          LINE_TTL,
          ascii(request.waited().toNanos() / NANOS_PER_MICRO),
          how.command(),
          how.prefix(),
          how.message(),
          how.counts(),
          KEPT
        });
  }

  /** What a release is told. */
  static byte[][] giving(LeaseKey lease, byte[] mode, Publishing how) {
    return with(new byte[][] {ascii(lease.token()), mode}, serving(how));
  }

  /** What a leave is told. */
  byte[][] leaving(LeaseKey waiter, byte[] mode, Publishing how) {
    return with(giving(waiter, mode, how), waiter(waiter));
  }

  /** What a script is told that serves the line. */
  static byte[][] serving(Publishing how) {
    return new byte[][] {how.command(), how.prefix(), how.message(), how.counts(), KEPT};
  }

  /** A release by another script, of a token whose acquisition may still be on its way. */
  ScriptRequest forGood(Script last, ScriptRequest release, LeaseKey lease) {
    return new ScriptRequest(
        last, withGone(release.keys(), lease), release.arguments(), release.kind());
  }

  /** Renews leases. */
  static ScriptRequest renew(
      List<RenewRequest> batch, Function<String, byte[]> holders, Function<String, byte[]> beside) {
    byte[][] keys = new byte[2 * batch.size()][];
    byte[][] arguments = new byte[2 * batch.size()][];
    for (int i = 0; i < batch.size(); i++) {
      RenewRequest request = batch.get(i);
      keys[2 * i] = holders.apply(request.key().name());
      keys[2 * i + 1] = beside.apply(request.key().name());
      arguments[2 * i] = ascii(request.key().token());
      arguments[2 * i + 1] = ascii(request.ttl().toMillis());
    }
    return new ScriptRequest(Script.SEVERAL_RENEW, keys, arguments);
  }

  /** With the key by which a release tells an acquisition that comes later. */
  private byte[][] withGone(byte[][] keys, LeaseKey lease) {
    return with(keys, space.gone(lease));
  }

  private byte[] waiter(LeaseKey key) {
    return ascii(storeId + ':' + key.token());
  }

  /** With more at the end. */
  static byte[][] with(byte[][] first, byte[]... more) {
    byte[][] all = Arrays.copyOf(first, first.length + more.length);
    System.arraycopy(more, 0, all, first.length, more.length);
    return all;
  }

  static byte[] ascii(long number) {
    return ascii(Long.toString(number));
  }

  static byte[] ascii(String text) {
    return text.getBytes(US_ASCII);
  }
}
