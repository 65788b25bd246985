package dev.leasehold.lock.internal.latch;

import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The question that a latch's waiters together ask the store again and again: whether it is on its
 * way or pauses. Guarded by the mutex of the latch.
 */
final class LatchRequest {
  private enum Phase {
    /** Nothing is under way. */
    IDLE,
    /** It is on its way to the store. */
    ASKED,
    /** It waits for a timer, a wake-up, or for listening to begin. */
    PAUSED
  }

  private final Timing time;
  private final Runnable pauseEnded;
  private Phase phase = Phase.IDLE;
  private Scheduler.@Nullable Scheduled timer;
  private boolean wokenMeanwhile;

  /**
   * Idle.
   *
   * @param pauseEnded runs on a thread of the engine when a pause has ended, without the mutex
   */
  LatchRequest(Timing time, Runnable pauseEnded) {
    this.time = time;
    this.pauseEnded = pauseEnded;
  }

  boolean isAsked() {
    return phase == Phase.ASKED;
  }

  boolean isPaused() {
    return phase == Phase.PAUSED;
  }

  /** Whether a wake-up came since it was asked last. */
  boolean wasWoken() {
    return wokenMeanwhile;
  }

  void ask() {
    cancelTimer();
    phase = Phase.ASKED;
    wokenMeanwhile = false;
  }

  void woken() {
    wokenMeanwhile = true;
  }

  /** It was answered, or is not asked for now. */
  void rest() {
    cancelTimer();
    phase = Phase.IDLE;
  }

  /** Pauses before it is asked again. If this throws, no timer ends the pause. */
  void pause(Duration pause) {
    cancelTimer();
    phase = Phase.PAUSED;
    timer = time.later(time.jittered(pause), pauseEnded);
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
