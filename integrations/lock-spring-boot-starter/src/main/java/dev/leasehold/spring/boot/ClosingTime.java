package dev.leasehold.spring.boot;

import dev.leasehold.lock.spi.Setting;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * How a shutdown phase is divided: running {@link dev.leasehold.methods.Locked} methods have what
 * closing the manager leaves of it. {@code leasehold.close-grace} concerns only the manager that
 * the starter itself creates; of an application's own one the default grace is assumed.
 */
final class ClosingTime {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.spring");

  /** Spring's property for the length of a shutdown phase. */
  private static final String TIMEOUT = "spring.lifecycle.timeout-per-shutdown-phase";

  private final Duration phase;
  private volatile Duration grace = Duration.ofSeconds(5);

  ClosingTime(Duration phase) {
    this.phase = phase;
  }

  static ClosingTime of(Environment environment) {
    return new ClosingTime(
        Binder.get(environment).bind(TIMEOUT, Duration.class).orElse(Duration.ofSeconds(30)));
  }

  /** The starter creates a manager with this grace. Warns if that takes all of a phase. */
  void managerHas(Duration closeGrace) {
    grace = closeGrace;
    if (!forCalls().isZero()) {
      return;
    }
    boolean outlasts = closeGrace.compareTo(phase) >= 0;
    LOG.log(
        Level.WARNING,
        "leasehold.close-grace = {0} leaves "
            + (outlasts ? "nothing" : "a second or less")
            + " of {1} = {2}: at shutdown, waiters for locks fail at once, and running @Locked"
            + " methods have no time to end before their locks are closed"
            + (outlasts
                ? ". After {2} connection factories stop, even if locks are still held"
                : "")
            + ". Make the grace shorter, or the phase longer: their difference less a second is"
            + " what these methods have",
        Setting.written(closeGrace),
        TIMEOUT,
        Setting.written(phase));
  }

  /** How long running calls have. */
  Duration forCalls() {
    Duration left = phase.minus(grace).minusSeconds(1);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
