package dev.leasehold.spring.boot;

import dev.leasehold.testkit.server.RedisServer;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Applications as users have them: all auto-configuration, and their own beans. */
final class Apps {
  static final String HEALTH = "leaseholdHealthIndicator";

  private Apps() {}

  /** What every application has. */
  @EnableAutoConfiguration
  static class Application {}

  static ConfigurableApplicationContext start(
      RedisServer server, List<String> properties, Class<?>... beans) {
    List<String> arguments = new ArrayList<>();
    arguments.add("--spring.data.redis.host=127.0.0.1");
    arguments.add("--spring.data.redis.port=" + server.port());
    arguments.add("--spring.data.redis.client-name=the-application");
    properties.forEach(property -> arguments.add("--" + property));
    return new SpringApplicationBuilder(Application.class)
        .sources(beans)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .logStartupInfo(false)
        .registerShutdownHook(false)
        .run(arguments.toArray(String[]::new));
  }

  /** What one of Leasehold's analyzers makes of an application that did not start. */
  static FailureAnalysis analysis(Exception failure) {
    // As Boot does: those that can't be made without a context are left out.
    return SpringFactoriesLoader.forDefaultResourceLocation()
        .load(FailureAnalyzer.class, (type, name, unmade) -> {})
        .stream()
        .filter(analyzer -> analyzer.getClass().getName().startsWith("dev.leasehold."))
        .map(analyzer -> analyzer.analyze(failure))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(() -> new AssertionError(failure));
  }

  /** What the health indicator tells, in either generation's type. */
  static Object health(ConfigurableApplicationContext context) {
    try {
      Method health = context.getBean(HEALTH).getClass().getMethod("health");
      health.setAccessible(true); // of a class that is not public
      return health.invoke(context.getBean(HEALTH));
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Names of the connections that the server has, but the kit's own. */
  static List<String> connections(RedisServer server) {
    return String.valueOf(server.call("CLIENT", "LIST"))
        .lines()
        .filter(line -> line.contains(" name=") && !line.contains("cmd=client"))
        .map(line -> line.replaceAll(".* name=(\\S*) .*", "$1"))
        .toList();
  }
}
