package dev.leasehold.testkit.report;

import dev.leasehold.lock.Guarantee;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The report as a self-contained page: no script, no external resources. First a table with what
 * each backend promises where they differ, then the rules that differ or are broken, then all.
 */
public final class HtmlReport {
  private final StringBuilder html = new StringBuilder();
  private final ReportPage page;

  private HtmlReport(ReportPage page) {
    this.page = page;
  }

  /** The whole page. */
  public static String of(ReportPage page) {
    return new HtmlReport(page).whole();
  }

  private String whole() {
    html.append("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<title>Leasehold: what each backend keeps</title>\n<style>\n")
        .append(style())
        .append("</style>\n<main>\n<h1>What each backend keeps</h1>\n<p class=\"verdict ")
        .append(page.isKept() ? "kept\">" : "broken\">")
        .append(escape(page.verdict()))
        .append("</p>\n<p class=\"made\">")
        .append(escape(page.made().toString()))
        .append("</p>\n");
    summary();
    List<RuleLine> differing = page.lines().stream().filter(RuleLine::differs).toList();
    if (!differing.isEmpty()) {
      html.append("<h2>Rules that are broken, or not kept by all</h2>\n");
      rules(differing);
    }
    html.append("<details>\n<summary>All ")
        .append(page.lines().size())
        .append(" rules</summary>\n");
    rules(page.lines());
    html.append("</details>\n</main>\n</html>\n");
    return html.toString();
  }

  private void summary() {
    html.append("<div class=\"wide\">\n<table class=\"summary\">\n<thead><tr><td></td>");
    headers();
    html.append("</tr></thead>\n<tbody>\n");
    // Between the nodes of a quorum a line may end.
    row("Server", backend -> "<td>" + escape(backend.server()).replace(",", ", ") + "</td>");
    row(
        "Rules",
        backend ->
            "<td class=\""
                + (backend.isKept() ? "kept" : "broken")
                + "\"><b>"
                + escape(ReportPage.summary(backend))
                + "</b></td>");
    promises(this::isPromisedBySome).forEach(this::promise);
    if (page.backends().stream().anyMatch(backend -> backend.contention().isPresent())) {
      row(
          "Contention",
          backend ->
              "<td>"
                  + backend.contention().map(ReportPage::contention).orElse("not run")
                  + "</td>");
    }
    html.append("</tbody>\n</table>\n</div>\n");
    sentence(page.backends().size() == 1 ? "Promised" : "All promise", this::isPromisedByAll);
    sentence(
        page.backends().size() == 1 ? "Not promised" : "None promises",
        guarantee -> !isPromisedByAll(guarantee) && !isPromisedBySome(guarantee));
  }

  private void headers() {
    page.backends()
        .forEach(b -> html.append("<th scope=\"col\">").append(escape(b.name())).append("</th>"));
  }

  private void row(String title, Function<BackendResult, String> cell) {
    html.append("<tr><th scope=\"row\">").append(title).append("</th>");
    page.backends().forEach(backend -> html.append(cell.apply(backend)));
    html.append("</tr>\n");
  }

  private void promise(Guarantee guarantee) {
    row(
        guarantee.name(),
        backend ->
            backend.guarantees().contains(guarantee)
                ? "<td class=\"kept\"><b>yes</b></td>"
                : "<td class=\"not-promised\">no</td>");
  }

  private void sentence(String beginning, Predicate<Guarantee> which) {
    List<Guarantee> guarantees = promises(which);
    if (!guarantees.isEmpty()) {
      html.append("<p class=\"promises\">")
          .append(beginning)
          .append(": ")
          .append(ReportPage.guarantees(guarantees))
          .append(".</p>\n");
    }
  }

  private static List<Guarantee> promises(Predicate<Guarantee> which) {
    return Arrays.stream(Guarantee.values()).filter(which).toList();
  }

  private boolean isPromisedByAll(Guarantee guarantee) {
    return page.backends().stream().allMatch(b -> b.guarantees().contains(guarantee));
  }

  /** And not by others. */
  private boolean isPromisedBySome(Guarantee guarantee) {
    return !isPromisedByAll(guarantee)
        && page.backends().stream().anyMatch(b -> b.guarantees().contains(guarantee));
  }

  private void rules(List<RuleLine> lines) {
    html.append("<div class=\"wide\">\n<table>\n<thead><tr><th scope=\"col\">Rule</th><td></td>");
    headers();
    html.append("</tr></thead>\n<tbody>\n");
    String theme = "";
    for (RuleLine line : lines) {
      if (!line.theme().equals(theme)) {
        theme = line.theme();
        html.append("<tr class=\"theme\"><th colspan=\"")
            .append(2 + page.backends().size())
            .append("\">")
            .append(escape(theme))
            .append("</th></tr>\n");
      }
      html.append("<tr><th class=\"id\" scope=\"row\">").append(line.id()).append("</th><td>");
      html.append(escape(line.sentence())).append("</td>");
      line.cells().forEach(this::cell);
      html.append("</tr>\n");
    }
    html.append("</tbody>\n</table>\n</div>\n");
  }

  private void cell(RuleResult cell) {
    String kind = cell.outcome().name().toLowerCase(Locale.ROOT).replace('_', '-');
    html.append("<td class=\"").append(kind).append("\"><b>");
    html.append(cell.outcome().word()).append("</b>");
    if (!cell.detail().isBlank()) {
      html.append("<small>").append(escape(cell.detail())).append("</small>");
    }
    html.append("</td>");
  }

  private static String style() {
    try (InputStream css = HtmlReport.class.getResourceAsStream("report.css")) {
      if (css == null) {
        throw new IllegalStateException("report.css is missing from the kit's jar");
      }
      return new String(css.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("\n", "<br>");
  }
}
