package dev.leasehold.lock.internal.latch;

import dev.leasehold.lock.internal.threads.Timing;
import dev.leasehold.lock.spi.Scheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The state of the request that a latch's waiters have in common: in flight, or paused before it is
 * repeated. Guarded by the mutex of the latch.
 */
final class LatchRequest {
  private enum Phase {
    /** It is neither in flight nor paused. */
    IDLE,
    /** It is in flight. */
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

  /** Returns whether a wake-up arrived since it was last sent. */
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

  /** It was answered, or is not wanted for now. */
  void rest() {
    cancelTimer();
    phase = Phase.IDLE;
  }

  /** Pauses before it is sent again. If this throws, no timer ends the pause. */
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
