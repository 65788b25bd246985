package dev.leasehold.redis.common;

import static dev.leasehold.redis.common.Arguments.ascii;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.AcquireResult.Held;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.PermitStore.Permits;
import dev.leasehold.lock.spi.RenewRequest;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** Semaphores, independent of the client: each operation's script and its arguments. Immutable. */
public final class PermitScripts {
  private final KeySpace space;
  private final SeveralScripts several;

  /**
   * For one store.
   *
   * @param storeId prefix of this store's waiters, and suffix of its channels; without a colon
   */
  public PermitScripts(String storeId, KeySpace space) {
    this.space = space;
    this.several = new SeveralScripts(storeId, space, Script.PERMITS_ACQUIRE);
  }

  private byte[][] keys(String name) {
    return SeveralKeys.permits(space, name).all();
  }

  private ScriptRequest asked(Script script, String name, byte[][] arguments) {
    return new ScriptRequest(script, keys(name), arguments, LockKind.SEMAPHORE);
  }

  /** Acquires permits; the reply is for {@link #acquired}. */
  public ScriptRequest acquire(AcquireRequest request, int wanted, int of, Publishing how) {
    return several
        .acquire(request, keys(request.key().name()), ascii(wanted), ascii(of), how)
        .about(LockKind.SEMAPHORE);
  }

  /**
   * Parses the reply to {@link #acquire}.
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

  /** Releases permits; the reply is for {@link Replies#release}. */
  public ScriptRequest release(LeaseKey lease, int wanted, Publishing how) {
    return asked(
        Script.PERMITS_RELEASE, lease.name(), SeveralScripts.giving(lease, ascii(wanted), how));
  }

  /** As {@link #release}, for a token whose acquisition may still be in flight. */
  public ScriptRequest releaseForGood(LeaseKey lease, int wanted, Publishing how) {
    return several.forGood(Script.LAST_PERMITS_RELEASE, release(lease, wanted, how), lease);
  }

  /** Releases some permits of a lease; the reply is for {@link Replies#release}. */
  public ScriptRequest shrink(LeaseKey lease, int keep, Publishing how) {
    return asked(
        Script.PERMITS_SHRINK, lease.name(), SeveralScripts.giving(lease, ascii(keep), how));
  }

  /** Removes a waiter from the queue; the reply has no meaning. */
  public ScriptRequest leave(LeaseKey waiter, int wanted, Publishing how) {
    return asked(Script.PERMITS_LEAVE, waiter.name(), several.leaving(waiter, ascii(wanted), how));
  }

  /** Renews leases; each reply is for {@link Replies#renew}. */
  public ScriptRequest renew(List<RenewRequest> batch) {
    return SeveralScripts.renew(
            batch,
            name -> SeveralKeys.permits(space, name).holders(),
            name -> SeveralKeys.permits(space, name).number())
        .about(LockKind.SEMAPHORE);
  }

  /** Counts permits; the reply is for {@link #counted}. */
  public ScriptRequest count(String name) {
    return asked(Script.PERMITS_COUNT, name, new byte[0][]);
  }

  /** Parses the reply to {@link #count}. */
  public static Permits counted(List<?> reply) {
    return new Permits(((Long) reply.get(0)).intValue(), ((Long) reply.get(1)).intValue());
  }

  /** Changes the number of permits; the reply is the current number. */
  public ScriptRequest resize(String name, int from, int to, Publishing how) {
    return asked(
        Script.PERMITS_RESIZE,
        name,
        new Arguments(2 + Arguments.SERVING).add(from).add(to).serving(how).all());
  }
}
