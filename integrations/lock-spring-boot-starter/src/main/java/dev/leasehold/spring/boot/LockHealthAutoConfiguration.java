package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockManager;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * A health indicator, if Spring Boot's actuator is on the path. Absent if {@code
 * management.health.leasehold.enabled} is false, or is not set and {@code
 * management.health.defaults.enabled} is false, or if there are several managers and none is
 * primary. Spring Boot 3 and 4 have the same classes in different packages, so there is one
 * indicator for each.
 */
@SuppressWarnings("exports") // users of the class do not need Spring's annotations
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnBean(NodesDown.class)
@ConditionalOnSingleCandidate(LockManager.class)
@Conditional(LockHealthAutoConfiguration.Enabled.class)
public class LockHealthAutoConfiguration {

  /** Called by Spring. */
  public LockHealthAutoConfiguration() {}

  /** The condition of Boot's own annotation, whose package differs between Boot 3 and 4. */
  static class Enabled implements Condition {
    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
      Environment environment = context.getEnvironment();
      boolean byDefault =
          environment.getProperty("management.health.defaults.enabled", Boolean.class, true);
      return environment.getProperty(
          "management.health.leasehold.enabled", Boolean.class, byDefault);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
  static class Boot3 {
    @Bean
    org.springframework.boot.actuate.health.HealthIndicator leaseholdHealthIndicator(
        LockManager manager, NodesDown nodes) {
      LockHealth health = new LockHealth(manager, nodes);
      return new org.springframework.boot.actuate.health.AbstractHealthIndicator() {
        @Override
        protected void doHealthCheck(
            org.springframework.boot.actuate.health.Health.Builder builder) {
          builder.up().withDetails(health.check());
        }
      };
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
  @ConditionalOnMissingClass("org.springframework.boot.actuate.health.HealthIndicator")
  static class Boot4 {
    @Bean
    org.springframework.boot.health.contributor.HealthIndicator leaseholdHealthIndicator(
        LockManager manager, NodesDown nodes) {
      LockHealth health = new LockHealth(manager, nodes);
      return new org.springframework.boot.health.contributor.AbstractHealthIndicator() {
        @Override
        protected void doHealthCheck(
            org.springframework.boot.health.contributor.Health.Builder builder) {
          builder.up().withDetails(health.check());
        }
      };
    }
  }
}
