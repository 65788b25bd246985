package dev.leasehold.examples.messages;

import static dev.leasehold.examples.messages.Secrets.HALF;
import static dev.leasehold.examples.messages.Secrets.OTHER_HALF;
import static dev.leasehold.examples.messages.Secrets.RIGHT;
import static dev.leasehold.examples.messages.Secrets.SIGNS;
import static dev.leasehold.examples.messages.Secrets.WRONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.spring.boot.LeaseholdAutoConfiguration;
import dev.leasehold.testkit.Heard;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.autoconfigure.logging.ConditionEvaluationReportMessage;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.support.SpringFactoriesLoader;

@DisplayName("Nor does Spring Boot show a password: in failures, their analyses, or the report")
class SpringPasswordsTest {
  private Heard heard;

  @BeforeEach
  void listen() {
    heard = new Heard();
  }

  @AfterEach
  void stopListening() {
    heard.close();
  }

  /**
   * Starts an application that must fail; returns how many of our failure analyzers produced an
   * analysis.
   */
  private long start(Map<String, String> settings) {
    Map<String, Object> properties = new HashMap<>();
    settings.forEach((key, text) -> properties.put(key.replaceFirst("lock", "leasehold"), text));
    AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    try (context) {
      context
          .getEnvironment()
          .getPropertySources()
          .addFirst(new MapPropertySource("application", properties));
      ConfigurationPropertySources.attach(context.getEnvironment());
      context.register(LeaseholdAutoConfiguration.class);
      context.registerBean("heard", Heard.class, () -> heard);
      context.refresh();
    } catch (RuntimeException e) {
      heard.thrown(e);
      heard.text(
          new ConditionEvaluationReportMessage(
              ConditionEvaluationReport.get(context.getBeanFactory())));
      return analysed(e, context.getEnvironment());
    }
    throw new AssertionError("it has started with " + settings);
  }

  /** Runs all of Boot's analyzers as Boot does, except those that need a context to be created. */
  private long analysed(Throwable failure, Environment environment) {
    return SpringFactoriesLoader.forDefaultResourceLocation()
        .load(
            FailureAnalyzer.class,
            SpringFactoriesLoader.ArgumentResolver.of(Environment.class, environment),
            (type, name, unmade) -> {})
        .stream()
        .filter(analyzer -> hears(analyzer.analyze(failure)))
        .filter(analyzer -> analyzer.getClass().getName().startsWith("dev.leasehold."))
        .count();
  }

  private boolean hears(FailureAnalysis analysis) {
    if (analysis == null) {
      return false;
    }
    heard.text(analysis.getDescription() + "\n" + analysis.getAction());
    heard.thrown(analysis.getCause());
    return true;
  }

  private void startWith(BackendModes kind, String uri) {
    Map<String, String> settings =
        kind.settings(List.of(uri, "redis://127.0.0.1:1/1", "redis://127.0.0.1:1/2"));
    settings.put("lock.redis.connect-timeout", "200ms");
    assertEquals(1, start(settings), uri);
    Secrets.assertNothingIn(heard, uri);
  }

  @Test
  @DisplayName("with a wrong address, or without a server")
  void addresses() {
    List<String> forms = Stream.concat(WRONG.stream(), RIGHT.stream()).toList();
    for (int i = 0; i < forms.size(); i++) {
      String password = HALF + SIGNS.get(i % SIGNS.size()) + OTHER_HALF;
      startWith(
          BackendModes.values()[i % BackendModes.values().length],
          forms.get(i).replace("P", password));
    }
    assertTrue(heard.all().contains("leasehold.redis.uri = 'redis://***@127.0.0.1:x'"));
  }

  @Test
  @DisplayName("where a placeholder in the address can't be filled in")
  void placeholders() {
    for (String uri :
        List.of(
            "redis://app:" + HALF + OTHER_HALF + "@${nowhere}:1",
            "redis://app:" + HALF + "${" + OTHER_HALF + "}@127.0.0.1:1")) {
      for (BackendModes kind : List.of(BackendModes.REDIS_SET, BackendModes.REDLOCK)) {
        startWith(kind, uri);
      }
    }
    assertTrue(heard.all().contains("${nowhere}:1"), "what may be reported is reported");
  }

  @Test
  @DisplayName("as a setting of its own, beside other errors")
  void besideOthers() {
    String password = HALF + OTHER_HALF;
    for (Map<String, String> more :
        List.of(
            Map.of("lock.redis.password", password),
            Map.of("lock.redis.password", HALF + "${" + OTHER_HALF + "}"),
            Map.of("lock.redis.password", password, "lock.lease", "${never}"),
            Map.of("lock.redis.password", password, "lock.lease", "never"),
            Map.of("lock.redis.pasword", password),
            Map.of("lock.redis.pasword", HALF + "${" + OTHER_HALF + "}"),
            Map.of("lock.redis.password", password, "lock.locks.x.kind", "y"),
            Map.of("lock.redis.password", password, "lock.metrics.name-tags", "y"))) {
      Map<String, String> settings =
          BackendModes.REDIS_SET.settings(List.of("redis://127.0.0.1:1"));
      settings.putAll(more);
      assertEquals(1, start(settings), more.keySet()::toString);
      Secrets.assertNothingIn(heard, more.keySet().toString());
    }
  }
}
