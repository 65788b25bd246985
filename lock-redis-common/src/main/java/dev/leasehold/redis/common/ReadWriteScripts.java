package dev.leasehold.redis.common;

import static dev.leasehold.redis.common.Arguments.ascii;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.FenceRun;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import java.util.List;

/**
 * Read/write locks, independent of the client: each operation's script and its arguments.
 * Immutable.
 */
public final class ReadWriteScripts {
  private static final byte[] NOBODY = {};

  /** A side of a lock. */
  public enum Side {
    /** Shared. */
    READ('r', LockKind.READ_LOCK),
    /** Exclusive. */
    WRITE('w', LockKind.WRITE_LOCK);

    private final byte[] mode;
    private final LockKind kind;

    Side(char mode, LockKind kind) {
      this.mode = new byte[] {(byte) mode};
      this.kind = kind;
    }
  }

  private final KeySpace space;
  private final SeveralScripts several;

  /**
   * For one store.
   *
   * @param storeId prefix of this store's waiters, and suffix of its channels; without a colon
   */
  public ReadWriteScripts(String storeId, KeySpace space) {
    this.space = space;
    this.several = new SeveralScripts(storeId, space, Script.READ_WRITE_ACQUIRE);
  }

  private byte[][] keys(String name) {
    return space.allBeside(
        name, ":readers", ":rw:wait", ":rw:door", ":writer", ":rw:fences", ":rw:ends");
  }

  private ScriptRequest asked(Script script, Side side, String name, byte[]... arguments) {
    return new ScriptRequest(script, keys(name), arguments, side.kind);
  }

  /**
   * Acquires a side; the reply is for {@link Replies#acquire}.
   *
   * @param beside the token of a writer that this reader may coexist with; empty for none
   */
  public ScriptRequest acquire(AcquireRequest request, Side side, String beside, Publishing how) {
    byte[] writer = beside.isEmpty() ? NOBODY : ascii(beside);
    return several
        .acquire(request, keys(request.key().name()), side.mode, writer, how)
        .with(ascii(request.handOvers()))
        .about(side.kind);
  }

  /**
   * As {@link #acquire}, on a node of a quorum, proposing this fence; to be sent as {@link
   * Script#GUARDED_READ_WRITE_ACQUIRE}.
   */
  public ScriptRequest vote(
      AcquireRequest request, Side side, String beside, Publishing how, long proposal) {
    return acquire(Places.asWaited(request, proposal), side, beside, how).with(ascii(proposal));
  }

  /** Raises the fences, and the run of numbers, to at least this, if the token holds the side. */
  public ScriptRequest raise(LeaseKey lease, Side side, long fence, int handOvers) {
    return asked(
        Script.READ_WRITE_RAISE,
        side,
        lease.name(),
        ascii(lease.token()),
        side.mode,
        ascii(fence),
        ascii(handOvers));
  }

  /** Releases a side; the reply is for {@link Replies#release}. */
  public ScriptRequest release(LeaseKey lease, Side side, Publishing how) {
    return asked(
        Script.READ_WRITE_RELEASE,
        side,
        lease.name(),
        SeveralScripts.giving(lease, side.mode, how));
  }

  /** As {@link #release}, for a token whose acquisition may still be in flight. */
  public ScriptRequest releaseForGood(LeaseKey lease, Side side, Publishing how) {
    return several.forGood(Script.LAST_READ_WRITE_RELEASE, release(lease, side, how), lease);
  }

  /** As {@link #release}, for a lease with unused fencing numbers. */
  public ScriptRequest release(LeaseKey lease, Side side, FenceRun run, Publishing how) {
    return release(lease, side, how).with(ascii(run.used()), ascii(run.last()));
  }

  /** Removes a waiter from the queue; the reply has no meaning. */
  public ScriptRequest leave(LeaseKey waiter, Side side, Publishing how) {
    return asked(
        Script.READ_WRITE_LEAVE, side, waiter.name(), several.leaving(waiter, side.mode, how));
  }

  /** Renews leases of one side; each reply is for {@link Replies#renew}. */
  public ScriptRequest renew(List<RenewRequest> batch, Side side) {
    if (side == Side.WRITE) {
      return FencedScripts.renew(batch, name -> space.beside(name, ":writer")).about(side.kind);
    }
    return SeveralScripts.renew(
            batch, name -> space.beside(name, ":readers"), name -> space.beside(name, ":rw:fences"))
        .about(side.kind);
  }

  /** Looks up a side's holder; the reply is for {@link Replies#inspect}. */
  public ScriptRequest inspect(String name, Side side) {
    return asked(Script.READ_WRITE_INSPECT, side, name, side.mode);
  }
}
