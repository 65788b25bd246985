package dev.leasehold.lock.internal.flight;

import dev.leasehold.lock.LeaseLoss;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockKind;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the flight recorder, without touching a class of a module that may not be there. */
final class Flights {
  private static final String MODULE = "jdk.jfr";

  private Flights() {}

  static Flight find() {
    Optional<Module> recorder = ModuleLayer.boot().findModule(MODULE);
    if (recorder.isEmpty()) {
      return new None();
    }
    // It may be present by a command-line option: this module only requires it statically.
    Flights.class.getModule().addReads(recorder.get());
    return new JfrFlight();
  }

  /** Records nothing. */
  private static final class None implements Flight {
    @Override
    public boolean isOn() {
      return false;
    }

    @Override
    public @Nullable Acquiring acquiring(LockKind kind, String lockName) {
      return null;
    }

    @Override
    public @Nullable Holding holding(LockKind kind, String lockName) {
      return null;
    }

    @Override
    public void lost(LeaseLoss loss) {}

    @Override
    public void renewalFailed(
        LockKind kind, String lockName, Duration remaining, LockException failure) {}
  }
}
