package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.methods.spi.ConfiguredKind;
import dev.leasehold.methods.spi.ConfiguredLock;
import java.util.function.Supplier;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * A bean for each {@code leasehold.locks.<id>}, of its kind's type, with the id as its qualifier.
 */
final class ConfiguredLockRegistrar implements ImportBeanDefinitionRegistrar {
  private final Environment environment;
  private final BeanFactory beans;

  ConfiguredLockRegistrar(Environment environment, BeanFactory beans) {
    this.environment = environment;
    this.beans = beans;
  }

  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata importing, BeanDefinitionRegistry registry) {
    for (ConfiguredLock lock : new Locks(environment).configured().values()) {
      String name = "leaseholdLock." + lock.id();
      try {
        register(lock, lock.kind(), name, registry);
      } catch (LockConfigurationException toldWhenOneIsMade) {
        // Of each type: a bean that wants one must get as far as to hear what is wrong.
        for (ConfiguredKind kind : ConfiguredKind.values()) {
          register(lock, kind, name + "/" + kind.word(), registry);
        }
      }
    }
  }

  private void register(
      ConfiguredLock lock, ConfiguredKind kind, String name, BeanDefinitionRegistry registry) {
    RootBeanDefinition bean = bean(lock, kind.type());
    bean.addQualifier(new AutowireCandidateQualifier(Qualifier.class, lock.id()));
    bean.setLazyInit(true);
    registry.registerBeanDefinition(name, bean);
  }

  private <T> RootBeanDefinition bean(ConfiguredLock lock, Class<T> type) {
    Supplier<T> made = () -> type.cast(lock.of(beans.getBean(LockManager.class)));
    return new RootBeanDefinition(type, made);
  }
}
