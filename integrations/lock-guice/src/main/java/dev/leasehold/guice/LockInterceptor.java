package dev.leasehold.guice;

import dev.leasehold.methods.spi.MethodCall;
import dev.leasehold.methods.spi.MethodLock;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Passes the calls of a {@link dev.leasehold.methods.Locked} method to its lock. */
record LockInterceptor(MethodLock lock) implements MethodInterceptor {

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    return lock.call(new Call(invocation));
  }

  private record Call(MethodInvocation invocation) implements MethodCall {
    @Override
    public @Nullable Object[] arguments() {
      return invocation.getArguments();
    }

    @Override
    public @Nullable Object proceed() throws Throwable {
      return invocation.proceed();
    }
  }
}
