package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockManager;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A health indicator, where Spring Boot's actuator is on the path. Not there if {@code
 * management.health.leasehold.enabled} is false. Boot 3 and Boot 4 have the same classes in
 * different packages, so there is one for each.
 */
@SuppressWarnings("exports") // an annotation of Spring's is nothing that users of the class need
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnBean({LockManager.class, NodesDown.class})
@ConditionalOnProperty(
    name = "management.health.leasehold.enabled",
    havingValue = "true",
    matchIfMissing = true)
public class LockHealthAutoConfiguration {

  /** For Spring. */
  public LockHealthAutoConfiguration() {}

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
