package dev.leasehold.testkit.report;

import dev.leasehold.lock.Guarantee;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All that was found of one backend.
 *
 * @param name its name, "redis-set"
 * @param server what it ran against, "Redis 7.0.15 at redis://127.0.0.1:6379"
 * @param guarantees what its manager declares
 * @param cells by the rule's number
 * @param contention the run of several processes, unless it could not be made
 */
public record BackendResult(
    String name,
    String server,
    Set<Guarantee> guarantees,
    Map<String, Cell> cells,
    Optional<Contention> contention) {

  /** How many rules came out so. */
  public long count(Cell.Outcome outcome) {
    return cells.values().stream().filter(cell -> cell.outcome() == outcome).count();
  }

  /** Whether every promise was kept. */
  public boolean isKept() {
    return count(Cell.Outcome.BROKEN) == 0
        && contention.map(run -> run.violations() == 0).orElse(true);
  }
}
