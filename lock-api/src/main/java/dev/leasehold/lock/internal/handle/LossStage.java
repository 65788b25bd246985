package dev.leasehold.lock.internal.handle;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLoss;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The stage that {@link Lease#lost} returns. It keeps its handle reachable, because code that has
 * the stage still uses the lease. Its dependents are attached to the engine's own stage, so they
 * run even if this stage becomes unreachable.
 */
final class LossStage implements InvocationHandler {
  private final Lease handle;
  private final LossFuture signal;

  private LossStage(Lease handle, LossFuture signal) {
    this.handle = handle;
    this.signal = signal;
  }

  @SuppressWarnings("unchecked") // a proxy implements its interface
  static CompletionStage<LeaseLoss> of(Lease handle, LossFuture signal) {
    return (CompletionStage<LeaseLoss>)
        Proxy.newProxyInstance(
            CompletionStage.class.getClassLoader(),
            new Class<?>[] {CompletionStage.class},
            new LossStage(handle, signal));
  }

  @Override
  public @Nullable Object invoke(Object stage, Method method, Object @Nullable [] arguments)
      throws Throwable {
    return switch (method.getName()) {
      case "equals" -> arguments != null && stage == arguments[0];
      case "hashCode" -> System.identityHashCode(stage);
      case "toString" -> "loss of " + handle;
      default -> forwarded(method, arguments);
    };
  }

  private @Nullable Object forwarded(Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(signal, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
