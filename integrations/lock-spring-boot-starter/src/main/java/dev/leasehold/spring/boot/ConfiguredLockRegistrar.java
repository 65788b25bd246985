package dev.leasehold.spring.boot;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LockManager;
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

/** A bean for each {@code leasehold.locks.<id>}, with the id as its qualifier. */
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
      Supplier<DistributedLock> made =
          () -> beans.getBean(LockManager.class).lock(lock.name(), lock.lockOptions());
      RootBeanDefinition bean = new RootBeanDefinition(DistributedLock.class, made);
      bean.addQualifier(new AutowireCandidateQualifier(Qualifier.class, lock.id()));
      bean.setLazyInit(true);
      registry.registerBeanDefinition("leaseholdLock." + lock.id(), bean);
    }
  }
}
