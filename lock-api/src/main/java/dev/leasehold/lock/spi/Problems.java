package dev.leasehold.lock.spi;

import dev.leasehold.lock.LockConfigurationException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Collects problems with settings, so that all are reported at once, one per line. Duplicates count
 * once. Not thread-safe.
 */
public final class Problems {
  private final Set<String> lines = new LinkedHashSet<>();
  private final List<LockConfigurationException> refusals = new ArrayList<>();

  /** Creates an empty collection. */
  public Problems() {}

  /** Adds a problem: what is wrong, and what is allowed. */
  public void add(String problem) {
    lines.add(problem);
  }

  /** Runs a check, and adds the problems of a {@link LockConfigurationException} that it throws. */
  public void check(Runnable check) {
    try {
      check.run();
    } catch (LockConfigurationException e) {
      refusals.add(e);
      lines.addAll(String.valueOf(e.getMessage()).lines().toList());
    }
  }

  /** Returns the value read; empty if the reading was refused, which is added as a problem. */
  public <T> Optional<T> read(Supplier<T> reading) {
    List<T> read = new ArrayList<>();
    check(() -> read.add(reading.get()));
    return read.stream().findFirst();
  }

  /** Throws {@link #toException()} if there are problems. */
  public void throwIfAny() {
    if (!lines.isEmpty()) {
      throw toException();
    }
  }

  /** An exception that lists all problems. */
  public LockConfigurationException toException() {
    String message = String.join("\n", lines);
    if (refusals.isEmpty()) {
      return new LockConfigurationException(message);
    }
    LockConfigurationException first = refusals.get(0);
    return message.equals(first.getMessage())
        ? first
        : new LockConfigurationException(message, first);
  }
}
