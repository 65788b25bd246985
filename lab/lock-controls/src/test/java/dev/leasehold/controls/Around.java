package dev.leasehold.controls;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Changes what a sound object does when one of its interface's methods is called. */
interface Around {
  /** The sound object's own method. */
  interface Call {
    @Nullable Object make() throws Throwable;
  }

  @Nullable Object instead(Method method, Object[] arguments, Call call) throws Throwable;

  /** The sound object, with this around each call. */
  static <T> T each(Class<T> type, T sound, Around change) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                change.instead(
                    method,
                    arguments == null ? new Object[0] : arguments,
                    () -> {
                      try {
                        return method.invoke(sound, arguments);
                      } catch (InvocationTargetException e) {
                        throw e.getCause();
                      }
                    })));
  }
}
