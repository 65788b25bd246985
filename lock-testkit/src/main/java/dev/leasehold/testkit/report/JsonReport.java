package dev.leasehold.testkit.report;

import dev.leasehold.lock.Guarantee;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The report as one JSON object. */
public final class JsonReport {
  private JsonReport() {}

  /** The whole document, with one line per rule. */
  public static String of(ReportPage page) {
    String backends = page.backends().stream().map(b -> backend(page, b)).collect(joined());
    return "{\n\"kept\": "
        + page.isKept()
        + ",\n\"at\": "
        + quote(page.made().at().toString())
        + ", \"java\": "
        + quote(page.made().java())
        + ", \"machine\": "
        + quote(page.made().machine())
        + ",\n\"backends\": [\n"
        + backends
        + "\n]\n}\n";
  }

  private static String backend(ReportPage page, BackendResult backend) {
    List<String> rules = new ArrayList<>();
    for (ReportPage.RuleName rule : page.rules()) {
      RuleResult cell = backend.cells().get(rule.id());
      if (cell != null) {
        rules.add(rule(rule, cell));
      }
    }
    List<String> guarantees =
        backend.guarantees().stream().sorted().map(Guarantee::name).map(JsonReport::quote).toList();
    return "{\"name\": "
        + quote(backend.name())
        + ", \"server\": "
        + quote(backend.server())
        + ",\n \"guarantees\": ["
        + String.join(", ", guarantees)
        + "],\n \"contention\": "
        + backend.contention().map(JsonReport::contention).orElse("null")
        + ",\n \"rules\": [\n"
        + String.join(",\n", rules)
        + "\n]}";
  }

  private static String rule(ReportPage.RuleName rule, RuleResult cell) {
    return "  {\"id\": "
        + quote(rule.id())
        + ", \"theme\": "
        + quote(rule.theme())
        + ", \"sentence\": "
        + quote(rule.sentence())
        + ", \"outcome\": "
        + quote(cell.outcome().name())
        + ", \"detail\": "
        + quote(cell.detail())
        + ", \"millis\": "
        + cell.took().toMillis()
        + "}";
  }

  private static String contention(Contention run) {
    return String.format(
        Locale.ROOT,
        "{\"processes\": %d, \"threads\": %d, \"sections\": %d, \"sectionsPerSecond\": %.1f,"
            + " \"commandsPerSection\": %s, \"violations\": %d}",
        run.processes(),
        run.threads(),
        run.sections(),
        run.sectionsPerSecond(),
        run.commandsPerSection().isPresent()
            ? String.format(Locale.ROOT, "%.3f", run.commandsPerSection().getAsDouble())
            : "null",
        run.violations());
  }

  private static java.util.stream.Collector<CharSequence, ?, String> joined() {
    return Collectors.joining(",\n");
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> quoted.append("\\\"");
        case '\\' -> quoted.append("\\\\");
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        default -> {
          if (c < ' ' || Character.isSurrogate(c)) {
            quoted.append(String.format("\\u%04x", (int) c));
          } else {
            quoted.append(c);
          }
        }
      }
    }
    return quoted.append('"').toString();
  }
}
