package dev.leasehold.lock;

import java.util.Optional;

/**
 * Follows one acquisition, and the hold that it becomes: for gauges and traces.
 *
 * <p>{@link LockListener#asked} gives one for each acquisition. Called on the manager's executor,
 * never by two threads at a time, and in this order: {@link #decided}, once; and where {@linkplain
 * AcquisitionResult.Outcome#beginsHold() a hold begins} with it, {@link #released}, if its holder
 * gives it back before it is lost, and {@link #ended}, once. One that throws or is slow harms
 * nobody but itself.
 */
public interface AcquisitionListener {

  /** The acquisition has ended: with a hold, or without. */
  default void decided(AcquisitionResult result) {}

  /** The holder gave the hold back; {@link #ended} tells what the store says to that. */
  default void released() {}

  /**
   * The hold is over: the store has answered its release, or failed to; or it was lost.
   *
   * @param loss how it was lost, which a release may find as well
   */
  default void ended(Optional<LeaseLoss> loss) {}
}
