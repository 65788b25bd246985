package dev.leasehold.lock.spi;

import dev.leasehold.lock.LockConfigurationException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What is wrong with settings, gathered so that all of it is told at once, one problem a line. What
 * is found in two ways counts once. Not thread-safe.
 */
public final class Problems {
  private final Set<String> lines = new LinkedHashSet<>();
  private final List<LockConfigurationException> refusals = new ArrayList<>();

  /** With none so far. */
  public Problems() {}

  /** Gathers a problem: what is wrong, and what is allowed. */
  public void add(String problem) {
    lines.add(problem);
  }

  /** Runs a check, and gathers what it refuses with a {@link LockConfigurationException}. */
  public void check(Runnable check) {
    try {
      check.run();
    } catch (LockConfigurationException e) {
      refusals.add(e);
      lines.addAll(String.valueOf(e.getMessage()).lines().toList());
    }
  }

  /** What is read, or empty if it was refused and that has been gathered. */
  public <T> Optional<T> read(Supplier<T> reading) {
    List<T> read = new ArrayList<>();
    check(() -> read.add(reading.get()));
    return read.stream().findFirst();
  }

  /** Throws what has been gathered, if anything was. */
  public void throwIfAny() {
    if (!lines.isEmpty()) {
      throw toException();
    }
  }

  /** What has been gathered. */
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
