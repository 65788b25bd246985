package dev.leasehold.guice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.inject.AbstractModule;
import com.google.inject.ConfigurationException;
import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.ProvisionException;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.methods.CurrentLease;
import dev.leasehold.methods.Locked;
import jakarta.inject.Named;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import kotlin.coroutines.Continuation;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Needs no server: nothing is opened. */
@DisplayName("@Locked: mistakes are refused when the class is injected")
class LockedRefusalsTest {
  private static final Module LOCKS =
      LeaseholdModule.of(LockSettings.of(Map.of("lock.locks.known.lease", "5s"))).lazily();

  /** A method that is wrong in each way that a method can be. */
  static class Wrong {
    @Locked(name = "a:{1}")
    void badIndex(String id) {}

    @Locked(name = "a:{orderid}")
    void unknownName(String orderId, int n) {}

    @Locked(name = "a:{0.id}")
    void expression(String orderId) {}

    @Locked(name = "a:{0")
    void noEnd(String orderId) {}

    @Locked(name = "a:0}")
    void noBeginning(String orderId) {}

    @Locked(name = "")
    void emptyName() {}

    @Locked(name = "a:{0}")
    void anyObject(Object order) {}

    @Locked(name = "a:{0}")
    void inexact(double order) {}

    @Locked(name = "a")
    private void privateOne() {}

    @Locked(name = "a")
    final void finalOne() {}

    @Locked(name = "a")
    static void staticOne() {}

    @Locked(name = "a")
    Future<String> future() {
      return null;
    }

    @Locked(name = "a")
    Stream<String> stream() {
      return null;
    }

    /** What Kotlin compiles {@code suspend fun suspends(id: String): Unit} to. */
    @Locked(name = "a:{0}")
    Object suspends(String id, Continuation<? super String> caller) {
      return id;
    }

    @Locked(name = "a")
    void noLease(@CurrentLease String lease) {}

    void leaseWithoutLock(@CurrentLease Lease lease) {}

    @Named("a")
    @com.google.inject.name.Named("b")
    @Locked(name = "a")
    void twoManagers() {}
  }

  static class BadDurations {
    @Locked(name = "a", waitFor = "2 parsecs", lease = "1ms", atLeast = "366d")
    void run() {}
  }

  static class Generic<T> {
    @Locked(name = "a:{0}")
    void run(T order) {}
  }

  static class OfLists extends Generic<List<String>> {}

  static final class FinalClass {
    @Locked(name = "a")
    void run() {}
  }

  private static class PrivateClass {
    @com.google.inject.Inject
    PrivateClass() {}

    @Locked(name = "a")
    void run() {}
  }

  static class Base {
    @Locked(name = "a")
    void run() {}
  }

  static class LosesIt extends Base {
    @Override
    void run() {}
  }

  interface Api {
    @Locked(name = "a")
    void run();
  }

  static class Implements implements Api {
    @Override
    public void run() {}
  }

  /** Methods that need what is not bound. */
  static class Unbound {
    @Named("nobody")
    @Locked(name = "a")
    void manager() {}

    @Locked(name = "a", options = "unknown")
    void options() {}
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of(
            Wrong.class,
            """
            Wrong.badIndex(String): name = "a:{1}": {1} counts from 0
            Wrong.unknownName(String, int): name = "a:{orderid}": {orderid} is no parameter; \
            there are orderId, n
            Wrong.expression(String): name = "a:{0.id}": {0.id}: String has no property 'id'
            Wrong.noEnd(String): name = "a:{0": a { without }
            Wrong.noBeginning(String): name = "a:0}": a } without {
            Wrong.emptyName(): name = "": the name is empty
            Wrong.anyObject(Object): name = "a:{0}": {0} is of type Object, whose text may differ
            Wrong.inexact(double): name = "a:{0}": {0} is of type double
            Wrong.privateOne(): it is private
            Wrong.finalOne(): it is final
            Wrong.staticOne(): it is static
            Wrong.future(): it returns Future
            Wrong.stream(): it returns Stream
            Wrong.suspends(String, Continuation): it is a Kotlin suspend function, which returns at \
            its first suspension, when the lock would be released: return a CompletionStage
            Wrong.noLease(String): its parameter 0 is @CurrentLease, but of type String
            Wrong.leaseWithoutLock(Lease): it has a parameter with @CurrentLease, but is not @Locked
            Wrong.twoManagers(): it has several qualifiers
            """),
        Arguments.of(
            BadDurations.class,
            """
            run(): waitFor = '2 parsecs' (@Locked) is invalid; expected: forever
            run(): lease = '1ms' (@Locked) is invalid
            run(): atLeast = '366d' (@Locked) is invalid
            """),
        Arguments.of(OfLists.class, "{0} is of type List"),
        Arguments.of(FinalClass.class, "FinalClass is final"),
        Arguments.of(PrivateClass.class, "PrivateClass is private"),
        Arguments.of(LosesIt.class, "LosesIt.run(): it overrides"),
        Arguments.of(Implements.class, "Api.run(): it is an interface's"),
        Arguments.of(
            Unbound.class,
            """
            Unbound.manager(): no LeaseholdModule of this injector
            there is no lock.locks.unknown in the settings
            """));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrong")
  @DisplayName("with class, method and reason, for a class that is bound and one that is requested")
  void refused(Class<?> type, String messages) {
    String bound =
        assertThrows(CreationException.class, () -> Guice.createInjector(LOCKS, binding(type)))
            .getMessage();
    assertTrue(bound.contains(LockedRefusalsTest.class.getName() + "$"), bound);
    Injector injector = Guice.createInjector(LOCKS);
    String asked =
        assertThrows(ConfigurationException.class, () -> injector.getInstance(type)).getMessage();
    messages
        .lines()
        .forEach(
            message -> {
              assertTrue(bound.contains(message), () -> message + " is missing in " + bound);
              assertTrue(asked.contains(message), () -> message + " is missing in " + asked);
            });
  }

  private static Module binding(Class<?> type) {
    return new AbstractModule() {
      @Override
      protected void configure() {
        bind(type);
      }
    };
  }

  static class OfStrings extends Generic<String> {}

  static class Fine implements Api {
    @Override
    @Locked(name = "a:{{}}", waitFor = "forever", lease = "30 s", options = "known")
    public void run() {}

    /** Takes a continuation, and is no suspend function: those have it last. */
    @Locked(name = "c:{1}")
    void plain(Continuation<String> caller, String id) {}

    @Locked(name = "b:{0}-{1}", waitFor = "0s")
    CompletionStage<String> later(Integer number, Thread.State state) {
      return null;
    }
  }

  @Test
  @DisplayName("Valid input is not refused")
  void right() {
    Guice.createInjector(LOCKS, binding(Fine.class), binding(OfStrings.class))
        .getInstance(Fine.class);
  }

  @Test
  @DisplayName("An object that Guice did not make has no lock around its methods, and is refused")
  void notMadeByGuice() {
    CreationException instance =
        assertThrows(
            CreationException.class,
            () ->
                Guice.createInjector(
                    LOCKS,
                    new AbstractModule() {
                      @Override
                      protected void configure() {
                        bind(Base.class).toInstance(new Base());
                      }
                    }));
    assertTrue(instance.getMessage().contains("was not made by Guice"), instance::getMessage);
    Injector provided =
        Guice.createInjector(
            LOCKS,
            new AbstractModule() {
              @Provides
              Base base() {
                return new Base();
              }
            });
    ProvisionException provision =
        assertThrows(ProvisionException.class, () -> provided.getInstance(Base.class));
    assertTrue(provision.getMessage().contains("was not made by Guice"), provision::getMessage);
  }

  @Test
  @DisplayName("All problems of a class are reported at once")
  void allAtOnce() {
    CreationException both =
        assertThrows(
            CreationException.class,
            () -> Guice.createInjector(LOCKS, binding(BadDurations.class)));
    assertEquals(3, both.getErrorMessages().size(), both::getMessage);
  }
}
