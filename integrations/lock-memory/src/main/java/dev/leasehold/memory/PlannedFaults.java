package dev.leasehold.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The faults that a test has set. Guarded by the memory's mutex. */
final class PlannedFaults {
  private final Map<Call, Deque<Fault>> next = new EnumMap<>(Call.class);
  private @Nullable Fault all;

  void next(Call call, Fault fault) {
    next.computeIfAbsent(call, c -> new ArrayDeque<>()).add(fault);
  }

  void all(Fault fault) {
    all = fault;
  }

  void none() {
    all = null;
    next.clear();
  }

  /** The fault of this call; a fault for a single call is consumed. */
  Optional<Fault> of(Call call) {
    if (all != null) {
      return Optional.of(all);
    }
    Deque<Fault> wanted = next.get(call);
    return wanted == null ? Optional.empty() : Optional.ofNullable(wanted.poll());
  }
}
