package dev.leasehold.controls;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** A manager that caches its read/write locks by name, with the options of the first use. */
public final class OptionsOfTheFirst extends ReadWriteControl {
  @Override
  public String name() {
    return "readers with the first one's options";
  }

  @Override
  List<String> tells() {
    return List.of("RW-5");
  }

  @Override
  List<String> breaks() {
    return List.of("RW-5");
  }

  @Override
  public LeaseStore open(String address) {
    return new ReadWriteSketch(address);
  }

  @Override
  public LockManager manager(String address, UnaryOperator<LockManager.Builder> tuning) {
    LockManager sound = super.manager(address, tuning);
    Map<Object, Object> kept = new ConcurrentHashMap<>();
    return (LockManager)
        Proxy.newProxyInstance(
            LockManager.class.getClassLoader(),
            new Class<?>[] {LockManager.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("readWriteLock") && arguments.length == 2) {
                return kept.computeIfAbsent(
                    arguments[0],
                    name -> sound.readWriteLock((String) name, (LockOptions) arguments[1]));
              }
              try {
                return method.invoke(sound, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
