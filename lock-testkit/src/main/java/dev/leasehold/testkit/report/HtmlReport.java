package dev.leasehold.testkit.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The report as a self-contained page: no script, no external resources. */
public final class HtmlReport {
  private HtmlReport() {}

  /** The whole page. */
  public static String of(ReportPage page) {
    StringBuilder html = new StringBuilder();
    html.append("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .append("<title>Leasehold: what each backend keeps</title>\n<style>\n")
        .append(style())
        .append("</style>\n<main>\n<h1>What each backend keeps</h1>\n<p class=\"verdict ")
        .append(page.isKept() ? "kept\">" : "broken\">")
        .append(escape(page.verdict()))
        .append("</p>\n");
    page.backends().forEach(backend -> backend(html, backend));
    table(html, page);
    html.append("</main>\n</html>\n");
    return html.toString();
  }

  private static void backend(StringBuilder html, BackendResult backend) {
    html.append("<section>\n<h2>").append(escape(backend.name())).append("</h2>\n<p>");
    html.append(escape(backend.server())).append("</p>\n<p>");
    html.append(escape(ReportPage.summary(backend))).append("</p>\n<p class=\"tags\">");
    backend.guarantees().stream()
        .sorted()
        .forEach(g -> html.append("<span>").append(g).append("</span> "));
    html.append("</p>\n");
    backend
        .contention()
        .ifPresent(
            run -> html.append("<p>").append(escape(ReportPage.contention(run))).append("</p>\n"));
    html.append("</section>\n");
  }

  private static void table(StringBuilder html, ReportPage page) {
    html.append("<table>\n<thead><tr><th>Rule</th><th></th>");
    page.backends().forEach(b -> html.append("<th>").append(escape(b.name())).append("</th>"));
    html.append("</tr></thead>\n<tbody>\n");
    String theme = "";
    for (RuleLine line : page.lines()) {
      if (!line.theme().equals(theme)) {
        theme = line.theme();
        html.append("<tr class=\"theme\"><th colspan=\"")
            .append(2 + page.backends().size())
            .append("\">")
            .append(escape(theme))
            .append("</th></tr>\n");
      }
      html.append("<tr><td class=\"id\">").append(line.id()).append("</td><td>");
      html.append(escape(line.sentence())).append("</td>");
      line.cells().forEach(cell -> cell(html, cell));
      html.append("</tr>\n");
    }
    html.append("</tbody>\n</table>\n");
  }

  private static void cell(StringBuilder html, Cell cell) {
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
