package dev.leasehold.spring.boot;

import dev.leasehold.micrometer.LockMetrics;
import dev.leasehold.micrometer.LockObservations;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.function.UnaryOperator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Meters and observations of locks, if lock-micrometer is on the path, the application has a
 * registry for them, and it has no {@link LockMetrics} or {@link LockObservations} of its own.
 * Absent if {@code leasehold.metrics.enabled} or {@code leasehold.observations.enabled} is false,
 * or if there are several registries of a kind and none is primary. The beans serve only the
 * auto-configured manager, and are injected only where qualified by bean name.
 */
@SuppressWarnings("exports") // users of the class do not need Spring's annotations
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
    })
@Conditional(OnFlag.Locks.class)
@ConditionalOnClass(name = "dev.leasehold.micrometer.LockMetrics")
public class LockMetricsAutoConfiguration {

  /** Called by Spring. */
  public LockMetricsAutoConfiguration() {}

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnSingleCandidate(MeterRegistry.class)
  @Conditional(OnFlag.Metrics.class)
  static class Metrics {
    @Bean(defaultCandidate = false) // the manager takes it by its name, if there is no other
    @Lazy // not created unused, where the application has a manager of its own
    @ConditionalOnMissingBean
    LockMetrics leaseholdLockMetrics(MeterRegistry registry, Environment environment) {
      int most = EnvironmentSettings.get(environment, MeterSettings.NAME_TAGS);
      List<String> patterns = EnvironmentSettings.get(environment, MeterSettings.NAME_PATTERNS);
      if (!patterns.isEmpty()) {
        return LockMetrics.patternsAsTags(registry, patterns);
      }
      return most == 0
          ? LockMetrics.on(registry)
          : LockMetrics.namesAsTags(registry, UnaryOperator.identity(), most);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnSingleCandidate(ObservationRegistry.class)
  @Conditional(OnFlag.Observations.class)
  static class Observations {
    @Bean(defaultCandidate = false) // the manager takes it by its name, if there is no other
    @Lazy // not created unused, where the application has a manager of its own
    @ConditionalOnMissingBean
    LockObservations leaseholdLockObservations(ObservationRegistry registry) {
      return LockObservations.on(registry);
    }
  }
}
