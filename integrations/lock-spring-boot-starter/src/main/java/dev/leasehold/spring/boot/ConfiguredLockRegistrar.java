package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.methods.spi.ConfiguredKind;
import dev.leasehold.methods.spi.ConfiguredLock;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a bean for each {@code leasehold.locks.<id>}, of its kind's type, with the id as its
 * qualifier.
 */
final class ConfiguredLockRegistrar implements ImportBeanDefinitionRegistrar {
  private final Environment environment;

  ConfiguredLockRegistrar(Environment environment) {
    this.environment = environment;
  }

  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata importing, BeanDefinitionRegistry registry) {
    for (ConfiguredLock lock : new LockEnvironment(environment).configured().values()) {
      String name = "leaseholdLock." + lock.id();
      try {
        register(lock, lock.kind(), name, registry);
      } catch (LockConfigurationException toldWhenOneIsMade) {
        // One bean per type: whichever type is injected, the injection must fail with the actual
        // problem.
        for (ConfiguredKind kind : ConfiguredKind.values()) {
          register(lock, kind, name + "/" + kind.word(), registry);
        }
      }
    }
  }

  private static void register(
      ConfiguredLock lock, ConfiguredKind kind, String name, BeanDefinitionRegistry registry) {
    // A factory method with only the id as its argument allows ahead-of-time processing.
    RootBeanDefinition bean = new RootBeanDefinition(ConfiguredLockFactory.class);
    bean.setFactoryMethodName(ConfiguredLockFactory.method(kind));
    bean.setTargetType(kind.type());
    bean.setAutowireMode(AutowireCapableBeanFactory.AUTOWIRE_CONSTRUCTOR);
    bean.getConstructorArgumentValues().addIndexedArgumentValue(0, lock.id());
    bean.addQualifier(new AutowireCandidateQualifier(Qualifier.class, lock.id()));
    bean.setLazyInit(true);
    registry.registerBeanDefinition(name, bean);
  }
}
