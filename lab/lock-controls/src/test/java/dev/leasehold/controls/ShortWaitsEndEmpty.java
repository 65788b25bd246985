package dev.leasehold.controls;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.testkit.TimeScale;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A lock that reports the end of a short wait as a refusal, whatever the store said. */
public final class ShortWaitsEndEmpty extends WrongUse {
  private static final Duration SHORT = TimeScale.millis(100);

  /** For the suite. */
  public ShortWaitsEndEmpty() {
    super("short waits that end empty", "WA-11");
  }

  @Override
  public LockManager manager(String address, UnaryOperator<LockManager.Builder> tuning) {
    return spoiled(LockManager.class, super.manager(address, tuning));
  }

  private static <T> T spoiled(Class<T> type, T sound) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(sound, arguments);
                return method.getName().equals("lock")
                    ? spoiled(DistributedLock.class, (DistributedLock) result)
                    : result;
              } catch (InvocationTargetException e) {
                if (e.getCause() instanceof LockStoreException && isShort(arguments)) {
                  return Optional.empty();
                }
                throw e.getCause();
              }
            }));
  }

  private static boolean isShort(Object @Nullable [] arguments) {
    return arguments != null
        && arguments.length == 1
        && arguments[0] instanceof Duration wait
        && !wait.isZero()
        && wait.compareTo(SHORT) < 0;
  }
}
