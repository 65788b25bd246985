package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.internal.calls.ReleaseStrategy;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition's entry into a hold. It is what the engine keeps of a {@link LeaseHandle}, which
 * is the application's alone: so the engine can tell when nobody has the handle any more.
 */
public final class HoldEntry {
  public final Hold hold;

  /** The entry before it, of those not yet left; guarded by the cell. */
  @Nullable HoldEntry earlier;

  /** Whether it was made through the lock view, which keeps no handle. */
  public volatile boolean viewed;

  /** How it is given back while it is released, if not by a call of its own. */
  public volatile @Nullable ReleaseStrategy strategy;

  /** Its fencing token, if the hold has any: its own, since its user may have seen it. */
  private volatile long token;

  /** Whether others held the lock while this was waited for. */
  public final boolean afterOthers;

  private volatile boolean left;

  /** Its hold's tether, until the application's handle has it. */
  private @Nullable Object tether;

  /** Made when first asked for; guarded by the cell. */
  private @Nullable CompletableFuture<LeaseLoss> loss;

  HoldEntry(Hold hold, @Nullable HoldEntry earlier, Object tether) {
    this.hold = hold;
    this.earlier = earlier;
    this.tether = tether;
    this.afterOthers = earlier == null && hold.afterOthers;
    this.token = Math.max(hold.fencingToken.orElse(0), hold.remote.raised());
  }

  /** The tether, for the one handle that this is of: nothing here keeps it in reach then. */
  public Object takeTether() {
    Object taken = Objects.requireNonNull(tether, "taken before");
    tether = null;
    return taken;
  }

  public OptionalLong token() {
    return hold.fencingToken.isPresent() ? OptionalLong.of(token) : hold.fencingToken;
  }

  /** The store has made the fence so large, and nobody has seen another. Guarded by the cell. */
  public void raise(long number) {
    hold.remote.raise(number);
    token = number;
  }

  /** A joined hold is left by its state alone. */
  public boolean isLeft() {
    return left || hold.state() == Hold.State.RELEASED;
  }

  /** Marks it left: true the first time. Guarded by the cell. */
  boolean leave() {
    boolean first = !isLeft();
    left = true;
    return first;
  }

  public boolean isValid() {
    return !left && hold.isHeld() && hold.deadline() - hold.monitor.now() > 0;
  }

  /** The loss signal, made if nobody asked before; guarded by the cell. */
  public CompletableFuture<LeaseLoss> signal() {
    CompletableFuture<LeaseLoss> mine = loss;
    if (mine == null) {
      mine = new CompletableFuture<>();
      loss = mine;
    }
    return mine;
  }

  /** The loss signal, if anybody asked for it; guarded by the cell. */
  @Nullable CompletableFuture<LeaseLoss> signalIfAsked() {
    return loss;
  }
}
