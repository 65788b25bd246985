package dev.leasehold.spring.boot;

import dev.leasehold.testkit.server.RedisServer;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;
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

  /**
   * What Boot reports of an application that did not start: the first analysis that there is, which
   * has to be one of Leasehold's.
   *
   * @param properties of the application
   */
  static FailureAnalysis analysis(Exception failure, List<String> properties) {
    ConfigurableEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(
            new SimpleCommandLinePropertySource(
                properties.stream().map("--"::concat).toArray(String[]::new)));
    ConfigurationPropertySources.attach(environment);
    // As Boot does: those that can't be made are left out.
    for (FailureAnalyzer analyzer :
        SpringFactoriesLoader.forDefaultResourceLocation()
            .load(
                FailureAnalyzer.class,
                SpringFactoriesLoader.ArgumentResolver.of(Environment.class, environment)
                    .and(BeanFactory.class, new DefaultListableBeanFactory()),
                (type, name, unmade) -> {})) {
      FailureAnalysis analysis = analyzer.analyze(failure);
      if (analysis != null) {
        if (!analyzer.getClass().getName().startsWith("dev.leasehold.")) {
          throw new AssertionError(analyzer + ": " + analysis.getDescription(), failure);
        }
        return analysis;
      }
    }
    throw new AssertionError(failure);
  }

  /** What the health indicator reports, in either generation's type. */
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
