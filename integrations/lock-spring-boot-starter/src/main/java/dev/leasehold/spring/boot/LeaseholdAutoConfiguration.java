package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.LeaseRenewer;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * Provides a {@link LockManager} unless the application has one, a {@code DistributedLock} for each
 * {@code leasehold.locks.<id>}, and support for {@link dev.leasehold.methods.Locked} in all beans.
 * Absent if {@code leasehold.enabled} is false.
 *
 * @see dev.leasehold.spring.boot
 */
@SuppressWarnings("exports") // users of the class do not need Spring's annotations
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
  private static final System.Logger LOG = System.getLogger("dev.leasehold.spring");

  /** Called by Spring. */
  public LeaseholdAutoConfiguration() {}

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static LockEnvironment leaseholdLocks(Environment environment) {
    return new LockEnvironment(environment);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static LockedBeanPostProcessor leaseholdLockedBeanPostProcessor(
      ObjectProvider<LockEnvironment> locks, Environment environment, RunningCalls calls) {
    return new LockedBeanPostProcessor(locks, environment, calls);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static RunningCalls leaseholdRunningCalls() {
    return new RunningCalls();
  }

  /**
   * The manager, opened here or at its first use.
   *
   * @throws dev.leasehold.lock.LockConfigurationException if settings are wrong, or it is ambiguous
   *     which Redis to use
   * @throws dev.leasehold.lock.LockStoreException if the store is unreachable or refuses
   */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  LockManager lockManager(
      LockEnvironment locks,
      NodesDown nodes,
      ObjectProvider<ClientBeans> clients,
      ObjectProvider<LockListener> listeners,
      ObjectProvider<LeaseRenewer> renewer,
      ObjectProvider<QuorumPolicy> policy,
      BeanFactory beans,
      ClosingTime closing) {
    closing.managerHas(locks.closeGrace());
    List<ClientBeans> all = clients.orderedStream().toList();
    List<ClientBackend> usable = all.stream().flatMap(some -> some.usable().stream()).toList();
    LockManager.Opener opener =
        Connection.opener(
            locks.settings(),
            usable,
            all.stream().flatMap(some -> some.unusable().stream()).toList());
    policy.ifUnique(opener::quorum);
    locks.check(opener);
    // Create the beans now: a thread that opens the manager later must not wait for a thread that
    // creates beans.
    LeaseRenewer own = renewer.getIfUnique();
    List<LockListener> heard = listeners(listeners, beans);
    opener.engine(
        builder -> {
          heard.forEach(builder::listener);
          builder.listener(nodes);
          return own == null ? builder : builder.renewer(own);
        });
    Supplier<LockManager> opens =
        () -> {
          LockManager manager = opener.open();
          LOG.log(
              Level.INFO,
              "locks are on {0}, with a lease of {1}",
              Connection.place(opener, locks.settings(), usable),
              Setting.written(locks.defaults().lease()));
          return manager;
        };
    return locks.areOpenedLater() ? OpenedLater.manager(opens, locks.storeTimeout()) : opens.get();
  }

  /**
   * The application's listeners, and ours where it has none of the same class, whatever type its
   * bean methods declare. Otherwise ours are not even created, since a registry may refuse the same
   * meter with different tags.
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

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static ClosingTime leaseholdClosingTime(Environment environment) {
    return ClosingTime.of(environment);
  }

  /** Stops before the client, and after the beans that hold locks. */
  @Bean
  LockManagerLifecycle leaseholdLockManagerLifecycle(
      ConfigurableListableBeanFactory beans,
      RunningCalls calls,
      ClosingTime closing,
      ObjectProvider<ClientBeans> clients) {
    return new LockManagerLifecycle(
        beans,
        calls,
        closing,
        () ->
            clients.stream()
                .flatMap(some -> some.usable().stream())
                .anyMatch(ClientBackend::endsWithFactory));
  }
}
