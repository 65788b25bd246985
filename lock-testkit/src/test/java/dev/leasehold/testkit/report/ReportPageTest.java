package dev.leasehold.testkit.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.testkit.report.ReportPage.RuleName;
import dev.leasehold.testkit.report.RuleResult.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReportPageTest {
  private static final List<RuleName> RULES =
      List.of(
          new RuleName("EX-1", "Exclusion", "Holds never overlap."),
          new RuleName("FE-1", "Fencing", "Tokens <increase> & \"grow\"."));
  private static final RuleResult KEPT = new RuleResult(Outcome.KEPT, "", Duration.ofMillis(12));

  private static BackendResult backend(String name, RuleResult second, long violations) {
    return new BackendResult(
        name,
        "Redis 7 at redis://127.0.0.1:1",
        Set.of(Guarantee.OWNED, Guarantee.FENCING),
        Map.of("EX-1", KEPT, "FE-1", second),
        Optional.of(new Contention(4, 4, 1000, 500.5, OptionalDouble.of(1.25), violations)));
  }

  private static final ReportPage GOOD =
      new ReportPage(
          RULES,
          List.of(
              backend("one", KEPT, 0),
              backend(
                  "two",
                  new RuleResult(Outcome.NOT_PROMISED, "not promised: FENCING", Duration.ZERO),
                  0)));
  private static final ReportPage BAD =
      new ReportPage(
          RULES,
          List.of(
              backend(
                  "one",
                  new RuleResult(Outcome.BROKEN, "5 after \"7\"\n<here>", Duration.ZERO),
                  0)));

  private static String text(ReportPage page) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TextReport.print(page, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void theTableHasARowForEachRuleAndAColumnForEachBackend() {
    String text = text(GOOD);
    assertTrue(text.matches("(?s).*FE-1 .*kept +not promised.*"), text);
    assertTrue(text.contains("501 sections per second, 1.25 commands per section"), text);
    assertTrue(text.contains("Every promise is kept."), text);
    assertTrue(GOOD.isKept());
  }

  @Test
  void whatIsBrokenIsSaidWithItsReason() {
    assertFalse(BAD.isKept());
    assertTrue(text(BAD).contains("FE-1 BROKEN on one: 5 after"), text(BAD));
    assertTrue(HtmlReport.of(BAD).contains("5 after &quot;7&quot;<br>&lt;here&gt;"));
    assertTrue(JsonReport.of(BAD).contains("\"detail\": \"5 after \\\"7\\\"\\n<here>\""));
    assertTrue(JsonReport.of(BAD).contains("\"kept\": false"));
  }

  @Test
  void anOverlapInTheContentionBreaksAPromiseToo() {
    ReportPage page = new ReportPage(RULES, List.of(backend("one", KEPT, 3)));
    assertFalse(page.isKept());
    assertTrue(text(page).contains("3 VIOLATIONS"), text(page));
  }

  @Test
  void whatWasNotRunIsNotCalledKept() {
    ReportPage page =
        new ReportPage(
            RULES,
            List.of(backend("one", new RuleResult(Outcome.NOT_RUN, "no cc", Duration.ZERO), 0)));
    assertEquals(
        "Every promise that was checked is kept; 1 rules were not run everywhere.", page.verdict());
    assertTrue(text(page).contains("FE-1 not run on one: no cc"), text(page));
  }

  @Test
  void differencesComeFirstAndTheRestIsFoldedAway() {
    ReportPage page =
        new ReportPage(
            RULES,
            GOOD.backends(),
            new Made(Instant.parse("2026-11-27T23:40:00Z"), "17.0.1", "Linux <x>, 2 processors"));
    String html = HtmlReport.of(page);
    assertTrue(
        html.contains("2026-11-27T23:40:00Z, Java 17.0.1, Linux &lt;x&gt;, 2 processors"), html);
    assertTrue(html.contains("All promise: OWNED, FENCING."), html);
    int all = html.indexOf("<details>");
    int first = html.indexOf(">FE-1<");
    assertTrue(0 < first && first < all, "the rule that differs is above all of them");
    assertTrue(html.indexOf(">EX-1<") > all, "the other is only among all");
    assertTrue(JsonReport.of(page).contains("\"at\": \"2026-11-27T23:40:00Z\""));
    String alone = HtmlReport.of(new ReportPage(RULES, List.of(backend("one", KEPT, 0))));
    assertFalse(alone.contains("not kept by all"), alone);
    assertTrue(alone.contains("Promised: OWNED, FENCING."), alone);
  }

  @Test
  void thePageIsWholeAndCarriesItsStyle() {
    String html = HtmlReport.of(GOOD);
    assertTrue(html.startsWith("<!doctype html>") && html.endsWith("</html>\n"));
    assertTrue(html.contains("table {"), "report.css is in it");
    assertTrue(html.contains("Tokens &lt;increase&gt; &amp; &quot;grow&quot;."));
  }
}
