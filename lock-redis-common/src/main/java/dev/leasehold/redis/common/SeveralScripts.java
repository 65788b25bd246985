package dev.leasehold.redis.common;

import static dev.leasehold.redis.common.Arguments.ascii;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import java.util.List;
import java.util.function.Function;

/**
 * A kind of lock with several holders: the arguments of {@code several-*.lua}. Each kind adds its
 * keys and its own scripts. Immutable.
 *
 * <p>The keys are in the slot of the name's plain lock:
 *
 * <pre>
 *  holders   sorted set: holds by when they end
 *  wait      sorted set: waiters by time of arrival
 *  door      string: the waiter that must not be overtaken
 *  number    string: the number of permits
 *  ends      sorted set: waiters' places by when they end
 * </pre>
 */
abstract class SeveralScripts implements KindScripts {
  private static final byte[] STAY_OUT = {'0'};
  private static final byte[] LEAVE = {'2'};
  private static final byte[] KEEP_PLACE = {'3'};

  private static final int NANOS_PER_MICRO = 1000;

  /** How late a request may be on a busy machine. */
  private static final int LATE_MILLIS = 2000;

  final KeySpace space;
  private final String storeId;
  private final LockKind kind;
  private final byte[] mode;
  private final Scripts scripts;

  /** The scripts of a kind. */
  record Scripts(Script acquire, Script release, Script leave) {}

  /**
   * For one view of one store.
   *
   * @param storeId prefix of this store's waiters, and suffix of its channels; without a colon
   * @param mode what of the lock is wanted
   */
  SeveralScripts(String storeId, KeySpace space, LockKind kind, byte[] mode, Scripts scripts) {
    this.storeId = storeId;
    this.space = space;
    this.kind = kind;
    this.mode = mode;
    this.scripts = scripts;
  }

  /**
   * The keys of a name, all in the slot of its plain lock; {@code several-*.lua} describe them. The
   * array must not be changed.
   */
  abstract byte[][] keys(String name);

  final ScriptRequest asked(Script script, String name, byte[]... arguments) {
    return new ScriptRequest(script, keys(name), arguments, kind);
  }

  /** Acquires a share. */
  final ScriptRequest acquire(AcquireRequest request, byte[] beside, Publishing how) {
    byte[] line =
        request.ifHeld() == IfHeld.ENQUEUE ? KEEP_PLACE : request.again() ? LEAVE : STAY_OUT;
    LeaseKey key = request.key();
    return new ScriptRequest(
        scripts.acquire,
        withGone(key),
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
        },
        kind);
  }

  /** The request with the time waited that gives its place on a node of a quorum. */
  static AcquireRequest asWaited(AcquireRequest request, long proposal) {
    return request.withWaited(FencedScripts.waited(request, proposal));
  }

  /**
   * A place outlasts two requests that are lost or late; only then the waiter is considered dead.
   */
  private static long goodFor(AcquireRequest request) {
    return 2 * request.asksWithin().toMillis() + LATE_MILLIS;
  }

  @Override
  public ScriptRequest release(LeaseKey lease, Publishing how) {
    return asked(scripts.release, lease.name(), giving(lease, mode, how, 0).all());
  }

  @Override
  public ScriptRequest release(LeaseKey lease, FenceRun run, Publishing how) {
    return release(lease, how).with(ascii(run.used()), ascii(run.last()));
  }

  /** The arguments of a release, with room for more. */
  static Arguments giving(LeaseKey lease, byte[] mode, Publishing how, int more) {
    return new Arguments(2 + Arguments.SERVING + more).add(lease.token()).add(mode).serving(how);
  }

  @Override
  public final ScriptRequest leave(LeaseKey waiter, Publishing how) {
    return asked(
        scripts.leave, waiter.name(), giving(waiter, mode, how, 1).add(waiter(waiter)).all());
  }

  /** Renews leases. */
  final ScriptRequest renew(
      List<RenewRequest> batch, Function<String, byte[]> holders, Function<String, byte[]> beside) {
    Arguments keys = new Arguments(2 * batch.size());
    Arguments arguments = new Arguments(2 * batch.size());
    for (RenewRequest request : batch) {
      String name = request.key().name();
      keys.add(holders.apply(name)).add(beside.apply(name));
      arguments.add(request.key().token()).add(request.ttl().toMillis());
    }
    return new ScriptRequest(Script.SEVERAL_RENEW, keys.all(), arguments.all(), kind);
  }

  /** The keys, and that by which an acquisition that arrives after its release is recognized. */
  private byte[][] withGone(LeaseKey lease) {
    byte[][] keys = keys(lease.name());
    return new Arguments(keys.length + 1).addAll(keys).add(space.gone(lease)).all();
  }

  private byte[] waiter(LeaseKey key) {
    return ascii(storeId + ':' + key.token());
  }
}
