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

  static class BadIndex {
    @Locked(name = "a:{1}")
    void run(String id) {}
  }

  static class UnknownName {
    @Locked(name = "a:{orderid}")
    void run(String orderId, int n) {}
  }

  static class Expression {
    @Locked(name = "a:{0.id}")
    void run(String orderId) {}
  }

  static class NoEnd {
    @Locked(name = "a:{0")
    void run(String orderId) {}
  }

  static class NoBeginning {
    @Locked(name = "a:0}")
    void run(String orderId) {}
  }

  static class EmptyName {
    @Locked(name = "")
    void run() {}
  }

  static class AnyObject {
    @Locked(name = "a:{0}")
    void run(Object order) {}
  }

  static class Inexact {
    @Locked(name = "a:{0}")
    void run(double order) {}
  }

  static class Generic<T> {
    @Locked(name = "a:{0}")
    void run(T order) {}
  }

  static class OfLists extends Generic<List<String>> {}

  static class BadDuration {
    @Locked(name = "a", waitFor = "2 parsecs", lease = "1ms", atLeast = "366d")
    void run() {}
  }

  static class PrivateMethod {
    @Locked(name = "a")
    private void run() {}
  }

  static class FinalMethod {
    @Locked(name = "a")
    final void run() {}
  }

  static class StaticMethod {
    @Locked(name = "a")
    static void run() {}
  }

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

  static class ReturnsFuture {
    @Locked(name = "a")
    Future<String> run() {
      return null;
    }
  }

  static class ReturnsStream {
    @Locked(name = "a")
    Stream<String> run() {
      return null;
    }
  }

  /** What Kotlin compiles {@code suspend fun run(id: String): Unit} to. */
  static class Suspends {
    @Locked(name = "a:{0}")
    Object run(String id, Continuation<? super String> caller) {
      return id;
    }
  }

  static class NoLease {
    @Locked(name = "a")
    void run(@CurrentLease String lease) {}
  }

  static class LeaseWithoutLock {
    void run(@CurrentLease Lease lease) {}
  }

  static class TwoManagers {
    @Named("a")
    @com.google.inject.name.Named("b")
    @Locked(name = "a")
    void run() {}
  }

  static class NoSuchManager {
    @Named("nobody")
    @Locked(name = "a")
    void run() {}
  }

  static class NoSuchOptions {
    @Locked(name = "a", options = "unknown")
    void run() {}
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of(BadIndex.class, "run(String): name = \"a:{1}\": {1} counts from 0"),
        Arguments.of(UnknownName.class, "{orderid} is no parameter; there are orderId, n"),
        Arguments.of(Expression.class, "{0.id}: String has no property 'id'"),
        Arguments.of(NoEnd.class, "a { without }"),
        Arguments.of(NoBeginning.class, "a } without {"),
        Arguments.of(EmptyName.class, "the name is empty"),
        Arguments.of(AnyObject.class, "{0} is of type Object, whose text may differ"),
        Arguments.of(Inexact.class, "{0} is of type double"),
        Arguments.of(OfLists.class, "{0} is of type List"),
        Arguments.of(
            BadDuration.class, "waitFor = '2 parsecs' (@Locked) is wrong: allowed is forever"),
        Arguments.of(BadDuration.class, "lease = '1ms' (@Locked) is wrong"),
        Arguments.of(BadDuration.class, "atLeast = '366d' (@Locked) is wrong"),
        Arguments.of(PrivateMethod.class, "PrivateMethod.run(): it is private"),
        Arguments.of(FinalMethod.class, "FinalMethod.run(): it is final"),
        Arguments.of(StaticMethod.class, "StaticMethod.run(): it is static"),
        Arguments.of(FinalClass.class, "FinalClass is final"),
        Arguments.of(PrivateClass.class, "PrivateClass is private"),
        Arguments.of(LosesIt.class, "LosesIt.run(): it overrides"),
        Arguments.of(Implements.class, "Api.run(): it is an interface's"),
        Arguments.of(ReturnsFuture.class, "it returns Future"),
        Arguments.of(ReturnsStream.class, "it returns Stream"),
        Arguments.of(
            Suspends.class,
            "run(String, Continuation): it is a Kotlin suspend function, which returns at its first"
                + " suspension, when the lock would be released: return a CompletionStage"),
        Arguments.of(NoLease.class, "its parameter 0 is @CurrentLease, but of type String"),
        Arguments.of(LeaseWithoutLock.class, "but is not @Locked"),
        Arguments.of(TwoManagers.class, "several qualifiers"),
        Arguments.of(
            NoSuchManager.class, "NoSuchManager.run(): no LeaseholdModule of this injector"),
        Arguments.of(NoSuchOptions.class, "there is no lock.locks.unknown in the settings"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("wrong")
  @DisplayName("with class, method and reason, for a class that is bound and one that is requested")
  void refused(Class<?> type, String message) {
    String bound =
        assertThrows(CreationException.class, () -> Guice.createInjector(LOCKS, binding(type)))
            .getMessage();
    assertTrue(bound.contains(message), bound);
    assertTrue(bound.contains(LockedRefusalsTest.class.getName() + "$"), bound);
    Injector injector = Guice.createInjector(LOCKS);
    String asked =
        assertThrows(ConfigurationException.class, () -> injector.getInstance(type)).getMessage();
    assertTrue(asked.contains(message), asked);
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
            CreationException.class, () -> Guice.createInjector(LOCKS, binding(BadDuration.class)));
    assertEquals(3, both.getErrorMessages().size(), both::getMessage);
  }
}
