package dev.leasehold.testkit.report;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.RuleCase;
import dev.leasehold.testkit.RuleOutcome;
import dev.leasehold.testkit.Suite;
import dev.leasehold.testkit.SuiteListener;
import dev.leasehold.testkit.report.RuleResult.Outcome;
import dev.leasehold.testkit.server.StoreServer;
import java.io.PrintStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** One backend's part of the report: its rules, with progress, then its contention. */
final class ReportRun implements SuiteListener {
  private final BackendUnderTest backend;
  private final PrintStream out;
  private final Map<String, RuleOutcome> verdicts = new LinkedHashMap<>();
  private final Map<String, Duration> times = new HashMap<>();
  private int ended;

  ReportRun(BackendUnderTest backend, PrintStream out) {
    this.backend = backend;
    this.out = out;
  }

  BackendResult run() {
    try (Suite suite = Suite.of(backend)) {
      String server =
          suite.server().map(s -> s.version() + " at " + s.uri()).orElse("this JVM's memory");
      out.println();
      out.println(backend.name() + " on " + server + ", seed " + suite.seed());
      suite.run(this);
      Optional<Contention> contention = suite.server().map(this::contend);
      Map<String, RuleResult> cells = new LinkedHashMap<>();
      verdicts.forEach((id, verdict) -> cells.put(id, cell(verdict, time(id))));
      return new BackendResult(backend.name(), server, suite.guarantees(), cells, contention);
    }
  }

  private Contention contend(StoreServer server) {
    out.println("  several processes contend ...");
    Contention run = new ContentionRun(backend, server).run();
    out.printf(Locale.ROOT, "  %,.0f sections per second%n", run.sectionsPerSecond());
    return run;
  }

  private Duration time(String id) {
    return times.getOrDefault(id, Duration.ZERO);
  }

  @Override
  public void ended(RuleCase test, RuleOutcome verdict, Duration took) {
    ended++;
    String id = test.rule().id();
    verdicts.merge(id, verdict, RuleOutcome::both);
    times.merge(id, took, Duration::plus);
    String name = id + (test.shows().isEmpty() ? "" : " (" + test.shows() + ")");
    out.printf(
        Locale.ROOT,
        "  %3d/%d  %-12s %5.1f s  %s%n",
        ended,
        Suite.tests().size(),
        outcome(verdict).word(),
        took.toMillis() / 1000.0,
        name);
  }

  private static Outcome outcome(RuleOutcome verdict) {
    if (verdict instanceof RuleOutcome.Kept) {
      return Outcome.KEPT;
    }
    if (verdict instanceof RuleOutcome.Broken) {
      return Outcome.BROKEN;
    }
    return verdict instanceof RuleOutcome.NotRun ? Outcome.NOT_RUN : Outcome.NOT_PROMISED;
  }

  private static RuleResult cell(RuleOutcome verdict, Duration took) {
    String detail =
        verdict instanceof RuleOutcome.NotPromised not
            ? not.guarantee().name()
            : verdict instanceof RuleOutcome.NotRun not ? not.reason() : verdict.text();
    return new RuleResult(outcome(verdict), detail, took);
  }
}
