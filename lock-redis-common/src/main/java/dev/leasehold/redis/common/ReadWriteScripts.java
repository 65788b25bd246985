package dev.leasehold.redis.common;

import static dev.leasehold.redis.common.Arguments.ascii;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.RenewRequest;
import java.util.List;
import java.util.Optional;

/**
 * Read/write locks, independent of the client: each operation's script and its arguments.
 * Immutable.
 */
public final class ReadWriteScripts extends SeveralScripts {
  private static final Scripts SCRIPTS =
      new Scripts(Script.READ_WRITE_ACQUIRE, Script.READ_WRITE_RELEASE, Script.READ_WRITE_LEAVE);
  private static final byte[] NO_TOKEN = {};

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

    /** The side's name in scripts. */
    public String mode() {
      return new String(mode, US_ASCII);
    }

    /** The kind of lock, for messages. */
    public LockKind kind() {
      return kind;
    }
  }

  private final Side side;
  private final byte[] beside;

  /**
   * For one store and side.
   *
   * @param storeId prefix of this store's waiters, and suffix of its channels; without a colon
   * @param beside the token of a writer that this reader may coexist with; empty for none
   */
  public ReadWriteScripts(String storeId, KeySpace space, Side side, String beside) {
    super(storeId, space, side.kind, side.mode, SCRIPTS);
    this.side = side;
    this.beside = beside.isEmpty() ? NO_TOKEN : ascii(beside);
  }

  @Override
  byte[][] keys(String name) {
    return space.allBeside(
        name, ":readers", ":rw:wait", ":rw:door", ":writer", ":rw:fences", ":rw:ends");
  }

  @Override
  public ScriptRequest acquire(AcquireRequest request, Publishing how) {
    return acquire(request, beside, how).with(ascii(request.handOvers()));
  }

  @Override
  public AcquireResult acquired(AcquireRequest request, Object reply) {
    return Replies.acquire(reply, request.ttl());
  }

  /** As {@link #acquire}, on a node of a quorum, proposing this fence; needs a guard. */
  public ScriptRequest vote(AcquireRequest request, Publishing how, long proposal) {
    return acquire(asWaited(request, proposal), how)
        .with(ascii(proposal))
        .by(Script.GUARDED_READ_WRITE_ACQUIRE);
  }

  /** Raises the fences, and the run of numbers, to at least this, if the token holds the side. */
  public ScriptRequest raise(LeaseKey lease, long fence, int handOvers) {
    return asked(
        Script.READ_WRITE_RAISE,
        lease.name(),
        ascii(lease.token()),
        side.mode,
        ascii(fence),
        ascii(handOvers));
  }

  @Override
  public ScriptRequest renew(List<RenewRequest> batch) {
    if (side == Side.WRITE) {
      return FencedScripts.renew(batch, name -> space.beside(name, ":writer")).about(side.kind);
    }
    return renew(
        batch, name -> space.beside(name, ":readers"), name -> space.beside(name, ":rw:fences"));
  }

  @Override
  public Optional<ScriptRequest> inspection(String name) {
    return Optional.of(asked(Script.READ_WRITE_INSPECT, name, side.mode));
  }
}
