package dev.leasehold.memory;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.spi.LatchStore;
import dev.leasehold.lock.spi.Latches;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.MinimumHold;
import dev.leasehold.lock.spi.MultiLockStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.Watch;
import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;

@DisplayName("Locks in memory keep the rules if it wakes no waiter: all of them poll")
class PollingConformanceTest extends LockConformance {
  private static final Set<Guarantee> NOT_PROMISED =
      EnumSet.of(Guarantee.WAKE_UP, Guarantee.WAKE_ONE, Guarantee.TURNS, Guarantee.LINGER);

  @Override
  protected BackendUnderTest backend() {
    return new Polling();
  }

  /** Its lines pass over waiters that don't listen; lock-controls has stores for these rules. */
  @Override
  protected boolean includes(String ruleId) {
    return !ruleId.matches("RW-2|SE-5");
  }

  /** A memory whose stores can't send anything. */
  public static final class Polling extends MemoryUnderTest {
    @Override
    public String name() {
      return "memory, polled";
    }

    @Override
    public LeaseStore open(String address) {
      return (LeaseStore)
          polled(
              super.open(address),
              MinimumHold.class,
              PermitStore.class,
              ReadWriteStore.class,
              LatchStore.class,
              MultiLockStore.class);
    }
  }

  /** The store as these interfaces, without wake-ups; its views and latches the same. */
  private static Object polled(Object store, Class<?>... as) {
    return Proxy.newProxyInstance(
        PollingConformanceTest.class.getClassLoader(),
        as,
        (proxy, method, arguments) -> {
          try {
            return switch (method.getName()) {
              case "watch" -> CompletableFuture.completedFuture(Watch.NONE);
              case "guarantees" -> {
                Set<Guarantee> left = EnumSet.copyOf(((LeaseStore) store).guarantees());
                left.removeAll(NOT_PROMISED);
                yield left;
              }
              case "latches" -> polled(method.invoke(store), Latches.class);
              case "reads", "readsBeside", "writes", "permits" ->
                  polled(method.invoke(store, arguments), LeaseStore.class);
              default -> method.invoke(store, arguments);
            };
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }
}
