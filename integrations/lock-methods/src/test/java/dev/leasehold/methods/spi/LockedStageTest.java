package dev.leasehold.methods.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.methods.Locked;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A locked stage that is cancelled in the moment of the grant")
class LockedStageTest {
  private final AtomicInteger released = new AtomicInteger();

  /** Methods as applications have them. */
  static class Work {
    @Locked(name = "work")
    CompletionStage<String> unbounded() {
      throw new AssertionError("it ran");
    }

    @Locked(name = "work", waitFor = "1m")
    CompletionStage<String> timed() {
      throw new AssertionError("it ran");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"unbounded", "timed"})
  @DisplayName("The lease is released")
  void grantedMeanwhile(String name) throws Exception {
    Lease lease =
        fake(
            Lease.class,
            method -> {
              assertEquals("releaseAsync", method.getName());
              released.incrementAndGet();
              return CompletableFuture.completedFuture(null);
            });
    DistributedLock lock =
        fake(
            DistributedLock.class,
            method ->
                method.getName().equals("acquireAsync")
                    ? grantedWhenCancelled(lease)
                    : grantedWhenCancelled(Optional.of(lease)));
    LockManager manager = fake(LockManager.class, method -> lock);
    Method method = Work.class.getDeclaredMethod(name);
    List<String> problems = new ArrayList<>();
    MethodLock locked =
        MethodLock.of(MemberTypes.of(Work.class), method, () -> "a test", problems)
            .orElseThrow()
            .on(() -> manager, LockOptions::defaults);
    CompletableFuture<?> stage = new LockedStage(locked, NEVER).start();
    assertTrue(stage.cancel(true));
    assertEquals(1, released.get());
  }

  /** Its cancellation comes a moment after the grant. */
  private static <T> CompletableFuture<T> grantedWhenCancelled(T lease) {
    return new CompletableFuture<>() {
      @Override
      public boolean cancel(boolean mayInterruptIfRunning) {
        complete(lease);
        return super.cancel(mayInterruptIfRunning);
      }
    };
  }

  private static <T> T fake(Class<T> type, Function<Method, Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answer.apply(method)));
  }

  private static final MethodCall NEVER =
      new MethodCall() {
        @Override
        public Object[] arguments() {
          return new Object[0];
        }

        @Override
        public Object proceed() {
          throw new AssertionError("it ran");
        }
      };
}
