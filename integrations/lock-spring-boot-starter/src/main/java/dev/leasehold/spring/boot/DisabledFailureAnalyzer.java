package dev.leasehold.spring.boot;

import dev.leasehold.lock.DistributedLatch;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.LockManager;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Explains a missing lock bean by the fact that locks are switched off. */
@Order(Ordered.HIGHEST_PRECEDENCE) // before Boot's own analyzer, which does not know the reason
final class DisabledFailureAnalyzer
    extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {
  private static final String SWITCH =
      "With leasehold.enabled = false there are no locks: @Locked methods run without them, and"
          + " there is no LockManager to inject.";

  private static final Set<Class<?>> LOCKS =
      Set.of(
          LockManager.class,
          DistributedLock.class,
          DistributedReadWriteLock.class,
          DistributedSemaphore.class,
          DistributedLatch.class);

  private final Environment environment;

  DisabledFailureAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  protected @Nullable FailureAnalysis analyze(
      Throwable failure, NoSuchBeanDefinitionException cause, @Nullable String description) {
    ResolvableType type = cause.getResolvableType();
    if (type == null
        || !LOCKS.contains(type.resolve(Object.class))
        || EnvironmentSettings.get(environment, OnFlag.Locks.ENABLED)) {
      return null;
    }
    return new FailureAnalysis(
        (description == null ? "Something" : description)
            + " required a bean of type '"
            + type.resolve(Object.class).getName()
            + "', and there is none since leasehold.enabled = false ("
            + EnvironmentSettings.origin(environment, "leasehold.enabled")
            + ").",
        "Inject an ObjectProvider<LockManager>, and do without where it is empty. Or leave locks"
            + " switched on: in tests with leasehold.backend = memory and"
            + " dev.leasehold:lock-memory, which needs no Redis. "
            + SWITCH,
        cause);
  }
}
