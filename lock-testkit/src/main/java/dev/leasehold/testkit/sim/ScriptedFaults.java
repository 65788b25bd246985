package dev.leasehold.testkit.sim;

import dev.leasehold.testkit.sim.SimCall.Operation;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;

/** Faults as a test says, which may change its mind while the world runs. Not thread-safe. */
public final class ScriptedFaults implements FaultPlan {
  private final FaultPlan usual;
  private final Map<Operation, FaultPlan> standing = new EnumMap<>(Operation.class);
  private final Map<Operation, ArrayDeque<Fate>> next = new EnumMap<>(Operation.class);

  /** What the script says nothing about goes by this plan. */
  public ScriptedFaults(FaultPlan usual) {
    this.usual = usual;
  }

  /** The next message of this operation, after those said before. */
  public ScriptedFaults next(Operation operation, Fate fate) {
    next.computeIfAbsent(operation, o -> new ArrayDeque<>()).add(fate);
    return this;
  }

  /** All messages of this operation, but for those said by {@link #next}. */
  public ScriptedFaults always(Operation operation, Fate fate) {
    standing.put(operation, call -> fate);
    return this;
  }

  /** All messages of all operations. */
  public ScriptedFaults always(Fate fate) {
    for (Operation operation : Operation.values()) {
      always(operation, fate);
    }
    return this;
  }

  /** Takes back what was said. */
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
