package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * A {@link LockManager}, unless the application has one, a {@code DistributedLock} for each {@code
 * leasehold.locks.<id>}, and {@link dev.leasehold.methods.Locked} in all beans. Not there if {@code
 * leasehold.enabled} is false.
 *
 * @see dev.leasehold.spring.boot
 */
@SuppressWarnings("exports") // an annotation of Spring's is nothing that users of the class need
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
      "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
      "org.redisson.spring.starter.RedissonAutoConfiguration",
      "org.redisson.spring.starter.RedissonAutoConfigurationV2",
      "org.redisson.spring.starter.RedissonAutoConfigurationV4"
    })
@Conditional(OnFlag.Locks.class)
@Import({ClientConfigurations.class, ConfiguredLockRegistrar.class})
public class LeaseholdAutoConfiguration {

  /** For Spring. */
  public LeaseholdAutoConfiguration() {}

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static Locks leaseholdLocks(Environment environment) {
    return new Locks(environment);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static LockedBeanPostProcessor leaseholdLockedBeanPostProcessor(
      ObjectProvider<Locks> locks, Environment environment, RunningCalls calls) {
    return new LockedBeanPostProcessor(locks, environment, calls);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static RunningCalls leaseholdRunningCalls() {
    return new RunningCalls();
  }

  /**
   * The manager.
   *
   * @throws dev.leasehold.lock.LockConfigurationException if settings are wrong, or it can't be
   *     told which Redis to use
   * @throws dev.leasehold.lock.LockStoreException if that can't be reached or refuses
   */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  LockManager lockManager(
      Locks locks,
      NodesDown nodes,
      ObjectProvider<Clients> clients,
      ObjectProvider<LockListener> listeners,
      ObjectProvider<LeaseRenewer> renewer,
      ObjectProvider<QuorumPolicy> policy,
      BeanFactory beans) {
    List<Clients> all = clients.orderedStream().toList();
    LockManager.Opener opener =
        Connection.opener(
            locks.settings(),
            all.stream().flatMap(some -> some.usable().stream()).toList(),
            all.stream().flatMap(some -> some.unusable().stream()).toList());
    policy.ifUnique(opener::quorum);
    locks.check(opener);
    return opener
        .engine(
            builder -> {
              renewer.ifUnique(builder::renewer);
              listeners(listeners, beans).forEach(builder::listener);
              return builder.listener(nodes);
            })
        .open();
  }

  /**
   * Those of the application, and ours where it has none of their class, whatever type its bean
   * methods declare. Else ours are not even made: a registry may refuse the same meter with other
   * tags.
   */
  private static List<LockListener> listeners(ObjectProvider<LockListener> own, BeanFactory beans) {
    List<LockListener> all = new ArrayList<>(own.orderedStream().toList());
    for (String name : MeterSettings.BEANS) {
      Class<?> type = beans.containsBean(name) ? beans.getType(name) : null;
      if (type != null && all.stream().noneMatch(type::isInstance)) {
        all.add(beans.getBean(name, LockListener.class));
      }
    }
    return all;
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  NodesDown leaseholdNodesDown() {
    return new NodesDown();
  }

  /** Before the client ends, and after those who hold locks. */
  @Bean
  LockManagerLifecycle leaseholdLockManagerLifecycle(
      ConfigurableListableBeanFactory beans,
      RunningCalls calls,
      Locks locks,
      ObjectProvider<Clients> clients,
      Environment environment) {
    Duration phase =
        Binder.get(environment)
            .bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
            .orElse(Duration.ofSeconds(30));
    return new LockManagerLifecycle(
        beans,
        calls,
        LockManagerLifecycle.patience(phase, locks.closeGrace()),
        () ->
            clients.stream()
                .flatMap(some -> some.usable().stream())
                .anyMatch(ClientBackend::endsWithFactory));
  }
}
