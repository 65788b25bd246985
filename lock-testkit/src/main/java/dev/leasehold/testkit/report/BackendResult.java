package dev.leasehold.testkit.report;

import dev.leasehold.lock.Guarantee;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The results of one backend.
 *
 * @param name its name, "redis-set"
 * @param server the server it ran against, "Redis 7.0.15 at redis://127.0.0.1:6379"
 * @param guarantees what its manager declares
 * @param cells by the rule's number
 * @param contention the contention run of several processes, if it was possible
 */
public record BackendResult(
    String name,
    String server,
    Set<Guarantee> guarantees,
    Map<String, RuleResult> cells,
    Optional<Contention> contention) {

  /** The number of rules with this outcome. */
  public long count(RuleResult.Outcome outcome) {
    return cells.values().stream().filter(cell -> cell.outcome() == outcome).count();
  }

  /** Whether every guarantee was kept. */
  public boolean isKept() {
    return count(RuleResult.Outcome.BROKEN) == 0
        && contention.map(run -> run.violations() == 0).orElse(true);
  }
}
