package dev.leasehold.spring.boot;

import dev.leasehold.lock.LockManager;
import dev.leasehold.methods.spi.MethodCall;
import dev.leasehold.methods.spi.MethodLock;
import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * Intercepts the {@link dev.leasehold.methods.Locked} methods of beans: outside of other proxies,
 * so that a transaction has ended before the lock is released, but inside of {@code @Async}, so
 * that the lock is held where the method runs.
 */
final class LockedBeanPostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
    implements SmartInitializingSingleton {
  private static final long serialVersionUID = 1;

  /** After the proxies for aspects and transactions, before the one for {@code @Async}. */
  private static final int BEFORE_ASYNC = Ordered.LOWEST_PRECEDENCE - 100;

  private final transient LockedBeans locked;

  LockedBeanPostProcessor(
      ObjectProvider<LockEnvironment> locks, Environment environment, RunningCalls calls) {
    this.locked = new LockedBeans(locks, environment);
    setBeforeExistingAdvisors(true);
    setProxyTargetClass(true);
    setOrder(BEFORE_ASYNC);
    this.advisor = new DefaultPointcutAdvisor(new Pointcut(locked), new Interceptor(locked, calls));
  }

  @Override
  public void setBeanFactory(BeanFactory beanFactory) {
    super.setBeanFactory(beanFactory);
    locked.managers(
        beanFactory.getBeanProvider(LockManager.class), (ListableBeanFactory) beanFactory);
  }

  @Override
  public void afterSingletonsInstantiated() {
    locked.started();
  }

  private static final class Pointcut extends StaticMethodMatcherPointcut {
    private final LockedBeans locked;

    Pointcut(LockedBeans locked) {
      this.locked = locked;
    }

    @Override
    public boolean matches(Method method, Class<?> target) {
      return locked.find(AopUtils.getMostSpecificMethod(method, target), target).isPresent();
    }
  }

  private record Interceptor(LockedBeans locked, RunningCalls calls) implements MethodInterceptor {
    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
      Object bean = invocation.getThis();
      Class<?> target =
          bean == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(bean);
      Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), target);
      MethodLock lock = locked.find(method, target).orElse(null);
      if (lock == null) {
        return invocation.proceed();
      }
      // The method may run after the outer interceptors have returned.
      Call call = new Call(copyOf(invocation), calls);
      calls.began();
      Object result;
      try {
        result = lock.call(call);
      } catch (Throwable failure) {
        calls.ended();
        throw failure;
      }
      if (result instanceof CompletionStage<?> stage) {
        stage.whenComplete((value, failure) -> calls.ended());
      } else {
        calls.ended();
      }
      return result;
    }
  }

  private static MethodInvocation copyOf(MethodInvocation invocation) {
    return ((ProxyMethodInvocation) invocation).invocableClone();
  }

  private record Call(MethodInvocation invocation, RunningCalls calls) implements MethodCall {
    @Override
    public @Nullable Object[] arguments() {
      return invocation.getArguments();
    }

    @Override
    public @Nullable Object proceed() throws Throwable {
      return invocation.proceed();
    }

    @Override
    public MethodCall again() {
      calls.began();
      return new Call(copyOf(invocation), calls);
    }

    @Override
    public void ended() {
      calls.ended();
    }
  }
}
