package dev.leasehold.spring.boot;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * The endpoint {@code leasehold}, if Spring Boot's actuator is on the path and the endpoint is
 * exposed. It shows only the auto-configured manager.
 */
@SuppressWarnings("exports") // users of the class do not need Spring's annotations
@AutoConfiguration
@Conditional(OnFlag.Locks.class)
@ConditionalOnClass(
    name = {
      "org.springframework.boot.actuate.endpoint.annotation.Endpoint",
      "org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint"
    })
public class LockEndpointAutoConfiguration {

  /** Called by Spring. */
  public LockEndpointAutoConfiguration() {}

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnAvailableEndpoint(endpoint = LocksEndpoint.class)
  static class Available {
    @Bean
    LocksNow leaseholdLocksNow() {
      return new LocksNow();
    }

    @Bean
    LocksEndpoint leaseholdEndpoint(LocksNow now) {
      return new LocksEndpoint(now);
    }
  }
}
