package dev.leasehold.testkit.report;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** The report as a table for terminals. */
public final class TextReport {
  private static final int SENTENCE = 62;

  private TextReport() {}

  /**
   * Prints the table, then a line for each rule that is broken or was not run, then the figures.
   */
  public static void print(ReportPage page, PrintStream out) {
    int width =
        Math.max(12, page.backends().stream().mapToInt(b -> b.name().length()).max().orElse(0));
    String column = "  %-" + width + "s";
    out.println();
    out.printf("%-6s %-" + SENTENCE + "s", "rule", "");
    page.backends().forEach(b -> out.printf(column, b.name()));
    out.println();
    String theme = "";
    for (RuleLine line : page.lines()) {
      if (!line.theme().equals(theme)) {
        theme = line.theme();
        out.println(theme);
      }
      out.printf("%-6s %-" + SENTENCE + "s", line.id(), shorten(line.sentence()));
      line.cells().forEach(cell -> out.printf(column, cell.outcome().word()));
      out.println();
    }
    notes(page, out);
    for (BackendResult backend : page.backends()) {
      out.println();
      out.println(backend.name() + " on " + backend.server());
      out.println("  promises " + ReportPage.guarantees(backend.guarantees()));
      out.println("  rules: " + ReportPage.summary(backend));
      backend.contention().ifPresent(run -> out.println("  " + ReportPage.contention(run)));
    }
    out.println();
    out.println(page.verdict());
  }

  private static void notes(ReportPage page, PrintStream out) {
    for (RuleResult.Outcome outcome :
        List.of(RuleResult.Outcome.BROKEN, RuleResult.Outcome.NOT_RUN)) {
      for (BackendResult backend : page.backends()) {
        for (ReportPage.RuleName rule : page.rules()) {
          RuleResult cell = backend.cells().get(rule.id());
          if (cell != null && cell.outcome() == outcome) {
            out.printf(
                Locale.ROOT,
                "%n%s %s on %s: %s",
                rule.id(),
                outcome.word(),
                backend.name(),
                cell.detail());
          }
        }
      }
    }
    out.println();
  }

  private static String shorten(String sentence) {
    return sentence.length() <= SENTENCE
        ? sentence
        : sentence.substring(0, SENTENCE - 1).stripTrailing() + "…";
  }
}
