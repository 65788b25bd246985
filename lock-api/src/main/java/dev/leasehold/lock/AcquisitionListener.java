package dev.leasehold.lock;

import java.util.Optional;

/**
 * Follows one acquisition and the hold that results from it, for gauges and traces.
 *
 * <p>{@link LockListener#asked} supplies one for each acquisition. Its methods are called on the
 * manager's executor, never concurrently, and in this order: {@link #decided}, once; and, if the
 * acquisition {@linkplain AcquisitionResult.Outcome#beginsHold() begins a hold}, {@link #released},
 * if the holder releases it before it is lost, and {@link #ended}, once. A listener that throws or
 * is slow affects only itself.
 */
public interface AcquisitionListener {

  /** The acquisition has ended, with or without a hold. */
  default void decided(AcquisitionResult result) {}

  /** The holder released the hold; {@link #ended} reports the store's answer. */
  default void released() {}

  /**
   * The hold has ended: the store answered its release or failed to, or the hold was lost.
   *
   * @param loss how the hold was lost, which may be detected by its release; empty if it was not
   */
  default void ended(Optional<LeaseLoss> loss) {}
}
