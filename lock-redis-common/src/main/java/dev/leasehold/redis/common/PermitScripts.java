package dev.leasehold.redis.common;

import static dev.leasehold.redis.common.Arguments.ascii;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.PermitStore.Permits;
import dev.leasehold.lock.spi.RenewRequest;
import java.util.List;
import java.util.Set;

/** Semaphores, independent of the client: each operation's script and its arguments. Immutable. */
public final class PermitScripts extends SeveralScripts {
  private static final Scripts SCRIPTS =
      new Scripts(Script.PERMITS_ACQUIRE, Script.PERMITS_RELEASE, Script.PERMITS_LEAVE);

  private static final String HOLDERS = ":permits";
  private static final String NUMBER = ":permits:number";

  private final int of;

  /**
   * For one store, and a number of permits together.
   *
   * @param storeId prefix of this store's waiters, and suffix of its channels; without a colon
   */
  public PermitScripts(String storeId, KeySpace space, int wanted, int of) {
    super(storeId, space, LockKind.SEMAPHORE, ascii(wanted), SCRIPTS);
    this.of = of;
  }

  @Override
  byte[][] keys(String name) {
    return space.allBeside(
        name, HOLDERS, ":permits:wait", ":permits:door", NUMBER, ":permits:ends");
  }

  @Override
  public ScriptRequest acquire(AcquireRequest request, Publishing how) {
    return acquire(request, ascii(of), how);
  }

  /**
   * {@inheritDoc}
   *
   * @throws LockConfigurationException if the name has another number of permits
   */
  @Override
  public AcquireResult acquired(AcquireRequest request, Object reply) {
    if (reply instanceof List<?> other) {
      throw PermitStore.anotherNumber(request.key().name(), of, (Long) other.get(1));
    }
    return Replies.withoutFence((Long) reply, request.ttl());
  }

  /** Permits have no fencing numbers. */
  @Override
  public ScriptRequest release(LeaseKey lease, FenceRun run, Publishing how) {
    return release(lease, how);
  }

  @Override
  public Set<Guarantee> guaranteed() {
    return FencedGuarantees.ofKinds();
  }

  @Override
  public ScriptRequest renew(List<RenewRequest> batch) {
    return renew(batch, name -> space.beside(name, HOLDERS), name -> space.beside(name, NUMBER));
  }

  /** Releases some permits of a lease; the reply is for {@link Replies#release}. */
  public ScriptRequest shrink(LeaseKey lease, int keep, Publishing how) {
    return asked(Script.PERMITS_SHRINK, lease.name(), giving(lease, ascii(keep), how, 0).all());
  }

  /** Counts permits; the reply is for {@link #counted}. */
  public ScriptRequest count(String name) {
    return asked(Script.PERMITS_COUNT, name);
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
