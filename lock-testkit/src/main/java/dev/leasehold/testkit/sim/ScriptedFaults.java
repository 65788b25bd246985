package dev.leasehold.testkit.sim;

import dev.leasehold.testkit.sim.SimCall.Operation;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;

/** Faults scripted by a test, which can change them while the world runs. Not thread-safe. */
public final class ScriptedFaults implements FaultPlan {
  private final FaultPlan usual;
  private final Map<Operation, FaultPlan> standing = new EnumMap<>(Operation.class);
  private final Map<Operation, ArrayDeque<Fate>> next = new EnumMap<>(Operation.class);

  /** Messages without a scripted fate follow this plan. */
  public ScriptedFaults(FaultPlan usual) {
    this.usual = usual;
  }

  /** Sets the fate of the next message of this operation that has none yet. */
  public ScriptedFaults next(Operation operation, Fate fate) {
    next.computeIfAbsent(operation, o -> new ArrayDeque<>()).add(fate);
    return this;
  }

  /** Sets the fate of all messages of this operation, except those set by {@link #next}. */
  public ScriptedFaults always(Operation operation, Fate fate) {
    standing.put(operation, call -> fate);
    return this;
  }

  /** Sets the fate of all messages. */
  public ScriptedFaults always(Fate fate) {
    for (Operation operation : Operation.values()) {
      always(operation, fate);
    }
    return this;
  }

  /** Removes all scripted fates. */
  public void clear() {
    standing.clear();
    next.clear();
  }

  @Override
  public Fate fate(SimCall call) {
    ArrayDeque<Fate> fates = next.get(call.operation());
    Fate first = fates == null ? null : fates.poll();
    return first != null ? first : standing.getOrDefault(call.operation(), usual).fate(call);
  }
}
