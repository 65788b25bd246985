package dev.leasehold.testkit.report;

import dev.leasehold.lock.Guarantee;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * All results side by side.
 *
 * @param rules the rules, in the order of the specification, as (id, theme, sentence)
 * @param backends what was found of each backend
 */
public record ReportPage(List<RuleName> rules, List<BackendResult> backends) {

  /**
   * A rule's name.
   *
   * @param id its number
   * @param theme what it belongs to
   * @param sentence what it says
   */
  public record RuleName(String id, String theme, String sentence) {}

  private static final Cell NO_CELL =
      new Cell(Cell.Outcome.NOT_RUN, "the run was cut short", Duration.ZERO);

  /** Copies the lists. */
  public ReportPage {
    rules = List.copyOf(rules);
    backends = List.copyOf(backends);
  }

  /** Whether every promise of every backend was kept. */
  public boolean isKept() {
    return backends.stream().allMatch(BackendResult::isKept);
  }

  List<RuleLine> lines() {
    List<RuleLine> lines = new ArrayList<>();
    for (RuleName rule : rules) {
      List<Cell> cells =
          backends.stream().map(b -> b.cells().getOrDefault(rule.id(), NO_CELL)).toList();
      lines.add(new RuleLine(rule.id(), rule.theme(), rule.sentence(), cells));
    }
    return lines;
  }

  static String guarantees(Collection<Guarantee> guarantees) {
    return String.join(", ", guarantees.stream().sorted().map(Guarantee::name).toList());
  }

  static String summary(BackendResult backend) {
    return String.format(
        Locale.ROOT,
        "%d kept, %d broken, %d not promised, %d not run",
        backend.count(Cell.Outcome.KEPT),
        backend.count(Cell.Outcome.BROKEN),
        backend.count(Cell.Outcome.NOT_PROMISED),
        backend.count(Cell.Outcome.NOT_RUN));
  }

  static String contention(Contention run) {
    String commands =
        run.commandsPerSection().isPresent()
            ? String.format(
                Locale.ROOT, "%.2f commands per section", run.commandsPerSection().getAsDouble())
            : "commands not counted";
    return String.format(
        Locale.ROOT,
        "%d processes of %d threads on one lock: %,.0f sections per second, %s, %s",
        run.processes(),
        run.threads(),
        run.sectionsPerSecond(),
        commands,
        run.violations() == 0
            ? "no overlap in " + String.format(Locale.ROOT, "%,d", run.sections()) + " sections"
            : run.violations() + " VIOLATIONS");
  }
}
