package dev.leasehold.lock.internal.hold;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.internal.handle.LeaseHandle;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition's entry into a hold. The engine keeps the entry, and only the application keeps
 * the {@link LeaseHandle}, so the engine can detect that the handle is no longer reachable.
 */
public final class HoldEntry {
  public final Hold hold;

  /** The previous entry that is not yet left; guarded by the name's mutex. */
  @Nullable HoldEntry earlier;

  /** Whether it was made through the lock view, which keeps no handle. */
  public volatile boolean viewed;

  /**
   * Its fencing token, if the lease is fenced: each entry has its own, since its user may have seen
   * it. Written before the user has the handle.
   */
  private long token;

  /** Whether others held the lock while it was waited for. */
  public final boolean afterOthers;

  private volatile boolean left;

  /** The tether of its hold, until the application's handle takes it. */
  private @Nullable Object tether;

  /** Created when first requested; guarded by the name's mutex. */
  private @Nullable CompletableFuture<LeaseLoss> loss;

  HoldEntry(Hold hold, @Nullable HoldEntry earlier, Object tether) {
    this.hold = hold;
    this.earlier = earlier;
    this.tether = tether;
    this.afterOthers = earlier == null && hold.afterOthers;
    this.token = hold.remote.number();
  }

  /** Returns the tether, for the entry's only handle, and drops the strong reference to it here. */
  public Object takeTether() {
    Object taken = Objects.requireNonNull(tether, "taken before");
    tether = null;
    return taken;
  }

  public OptionalLong token() {
    return hold.remote.fenced ? OptionalLong.of(token) : OptionalLong.empty();
  }

  /**
   * Raises the fencing token to a number that the store has confirmed, and that no other user has
   * seen. Guarded by the name's mutex.
   */
  public void raise(long number) {
    hold.remote.raise(number);
    token = number;
  }

  /** Returns whether it was left; for a joined hold, only the hold's state shows it. */
  public boolean isLeft() {
    return left || hold.state() == Hold.State.RELEASED;
  }

  /** Marks it as left. Returns true the first time. Guarded by the name's mutex. */
  boolean leave() {
    boolean first = !isLeft();
    left = true;
    return first;
  }

  public boolean isValid() {
    return !left && hold.isHeld() && hold.deadline() - hold.monitor().now() > 0;
  }

  /** Returns the loss signal, creating it if necessary; guarded by the name's mutex. */
  public CompletableFuture<LeaseLoss> signal() {
    CompletableFuture<LeaseLoss> mine = loss;
    if (mine == null) {
      mine = new CompletableFuture<>();
      loss = mine;
    }
    return mine;
  }

  /** Returns the loss signal; null if it was never requested; guarded by the name's mutex. */
  @Nullable CompletableFuture<LeaseLoss> signalIfAsked() {
    return loss;
  }
}
