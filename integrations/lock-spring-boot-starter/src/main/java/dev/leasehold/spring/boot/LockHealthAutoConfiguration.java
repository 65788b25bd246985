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
 * A health indicator, where Spring Boot's actuator is on the path. Not there if {@code
 * management.health.leasehold.enabled} is false, or {@code management.health.defaults.enabled} is
 * and that says nothing, or if there are several managers and none of them is primary. Boot 3 and
 * Boot 4 have the same classes in different packages, so there is one for each.
 */
@SuppressWarnings("exports") // an annotation of Spring's is nothing that users of the class need
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnBean(NodesDown.class)
@ConditionalOnSingleCandidate(LockManager.class)
@Conditional(LockHealthAutoConfiguration.Enabled.class)
public class LockHealthAutoConfiguration {

  /** For Spring. */
  public LockHealthAutoConfiguration() {}

  /** As Boot's own annotation says, which is in another package in each generation. */
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
