package dev.leasehold.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.AcquisitionListener;
import dev.leasehold.lock.AcquisitionResult;
import dev.leasehold.lock.AcquisitionResult.Outcome;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockKind;
import dev.leasehold.lock.NodeEvent;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The dashboard for Grafana and the alerts use existing metrics")
class DashboardTest {
  private static final Pattern EXPRESSION = Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern ALERT = Pattern.compile("^ +expr: (.*)$", Pattern.MULTILINE);
  private static final Pattern METRIC = Pattern.compile("\\bleasehold_[a-z_]+");
  private static final Pattern BY = Pattern.compile("\\bby \\(([a-z, ]+)\\)");
  private static final Pattern LABEL = Pattern.compile("[{,]([a-z_]+)=\"");

  /** What a scrape adds. */
  private static final Set<String> OF_THE_SCRAPE = Set.of("instance", "job");

  private String dashboard = "";
  private String scrape = "";

  @BeforeEach
  void read() throws IOException {
    dashboard = Files.readString(Path.of("grafana-dashboard.json"));
    scrape = scrape();
  }

  /** Of an application that has just started, whose quorum had its troubles. */
  private static String scrape() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    LockMetrics metrics = LockMetrics.on(registry);
    AcquisitionListener acquisition = metrics.asked(LockKind.LOCK, "a").orElseThrow();
    acquisition.decided(
        new AcquisitionResult(Outcome.GRANTED, false, Duration.ZERO, Optional.empty()));
    metrics.onNode(new NodeEvent.Down("redis-1:6379", new LockConfigurationException("refused")));
    metrics.onNode(new NodeEvent.Slow("redis-1:6379"));
    metrics.onNode(new NodeEvent.Quarantined("redis-1:6379", Duration.ofMinutes(1)));
    return registry.scrape();
  }

  private List<String> expressions() {
    List<String> found = new ArrayList<>();
    Matcher matcher = EXPRESSION.matcher(dashboard);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    assertTrue(found.size() > 20, () -> found.size() + " expressions");
    return found;
  }

  private static Set<String> all(Pattern pattern, int group, Iterable<String> texts) {
    Set<String> found = new TreeSet<>();
    for (String text : texts) {
      Matcher matcher = pattern.matcher(text);
      while (matcher.find()) {
        found.add(matcher.group(group));
      }
    }
    return found;
  }

  private Set<String> samples() {
    return all(Pattern.compile("^(leasehold_[a-z_]+)[{ ]", Pattern.MULTILINE), 1, List.of(scrape));
  }

  @Test
  @DisplayName("Each metric that it asks for is there, from the start")
  void metrics() {
    Set<String> missing = all(METRIC, 0, expressions());
    missing.removeAll(samples());
    assertEquals(Set.of(), missing, scrape);
    assertTrue(scrape.contains("leasehold_lost_total{kind=\"lock\",reason=\"expired\"} 0"), scrape);
  }

  @Test
  @DisplayName("Each metric that is there is asked for, histograms by one of theirs")
  void complete() {
    Set<String> unused = samples();
    unused.removeIf(name -> name.endsWith("_count") || name.endsWith("_sum"));
    unused.removeAll(all(METRIC, 0, expressions()));
    assertEquals(Set.of(), unused);
  }

  @Test
  @DisplayName("Each label that it groups by is there")
  void labels() {
    checkLabels(expressions());
  }

  @Test
  @DisplayName("Alerts are of metrics and labels that are there from the start")
  void alerts() throws IOException {
    Set<String> alerts = all(ALERT, 1, List.of(Files.readString(Path.of("prometheus-alerts.yml"))));
    assertEquals(7, alerts.size());
    Set<String> missing = all(METRIC, 0, alerts);
    missing.removeAll(samples());
    assertEquals(Set.of(), missing, scrape);
    checkLabels(alerts);
  }

  private void checkLabels(Iterable<String> expressions) {
    Set<String> known = all(LABEL, 1, List.of(scrape));
    known.addAll(OF_THE_SCRAPE);
    for (String list : all(BY, 1, expressions)) {
      for (String label : list.split(", ")) {
        assertTrue(known.contains(label), () -> label + " is none of " + known);
      }
    }
  }
}
