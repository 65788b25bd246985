package dev.leasehold.testkit.report;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.testkit.report.RuleResult.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * The results of all backends side by side.
 *
 * @param rules the rules, in the order of the specification, as (id, theme, sentence)
 * @param backends the results of each backend
 * @param made when and where
 */
public record ReportPage(List<RuleName> rules, List<BackendResult> backends, Made made) {

  /**
   * A rule's name.
   *
   * @param id its number
   * @param theme its theme
   * @param sentence its text
   */
  public record RuleName(String id, String theme, String sentence) {}

  private static final RuleResult NO_CELL =
      new RuleResult(Outcome.NOT_RUN, "the run was cut short", Duration.ZERO);

  /** Copies the lists. */
  public ReportPage {
    rules = List.copyOf(rules);
    backends = List.copyOf(backends);
  }

  /** Made now, here. */
  public ReportPage(List<RuleName> rules, List<BackendResult> backends) {
    this(rules, backends, Made.now());
  }

  /** Whether every backend kept every guarantee. */
  public boolean isKept() {
    return backends.stream().allMatch(BackendResult::isKept);
  }

  /** The result in one sentence; mentions rules that could not be run. */
  public String verdict() {
    if (!isKept()) {
      return "Promises are BROKEN.";
    }
    long notRun =
        lines().stream()
            .filter(line -> line.cells().stream().anyMatch(c -> c.outcome() == Outcome.NOT_RUN))
            .count();
    return notRun == 0
        ? "Every promise is kept."
        : "Every promise that was checked is kept; " + notRun + " rules were not run everywhere.";
  }

  List<RuleLine> lines() {
    List<RuleLine> lines = new ArrayList<>();
    for (RuleName rule : rules) {
      List<RuleResult> cells =
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
        backend.count(Outcome.KEPT),
        backend.count(Outcome.BROKEN),
        backend.count(Outcome.NOT_PROMISED),
        backend.count(Outcome.NOT_RUN));
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
