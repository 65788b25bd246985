package dev.leasehold.guice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.inject.ConfigurationException;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.ProvisionException;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.methods.CurrentLease;
import dev.leasehold.methods.Locked;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.RedisServers;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Where a class inherits, javac writes bridges: synthetic methods with the annotations of the one
 * that they call. Each method here returns its lease, which is null where nothing is locked.
 */
@DisplayName("@Locked: inherited and overridden methods, including javac's bridges")
class LockedInheritanceTest {
  @AutoClose private static final RedisServer server = RedisServers.start();
  private static Injector injector;

  @BeforeAll
  static void start() {
    injector =
        Guice.createInjector(
            LeaseholdModule.of(LockSettings.of(Map.of("lock.redis.uri", server.uri()))));
  }

  @AfterAll
  static void stop() {
    injector.getInstance(LockManagers.class).close();
  }

  /** Not public, so that javac lets every public class below it call its methods by bridges. */
  static class Hidden {
    @Locked(name = "hidden")
    public Lease run(@CurrentLease @Nullable Lease lease) {
      return lease;
    }
  }

  public static class Shown extends Hidden {}

  public static class ShownAgain extends Shown {}

  @Test
  @DisplayName("A public class locks the methods it inherits from a non-public one")
  void inheritedByAPublicClass() {
    assertEquals("hidden", injector.getInstance(Shown.class).run(null).lockName());
    assertEquals("hidden", injector.getInstance(ShownAgain.class).run(null).lockName());
  }

  static class Typed<T> {
    int holds;

    @Locked(name = "typed:{0}")
    public T run(T value, @CurrentLease @Nullable Lease lease) {
      holds = lease == null ? 0 : lease.holdCount();
      return value;
    }
  }

  public static class ShownOfStrings extends Typed<String> {}

  /** Another parameter, so that nothing is overridden. */
  public static class Overloading extends Typed<Object> {
    public Object run(String value, Lease lease) {
      return value;
    }

    @Override
    @Locked(name = "typed")
    public Object run(Object value, @CurrentLease @Nullable Lease lease) {
      return super.run(value, lease);
    }
  }

  public static class Overriding extends Typed<String> {
    @Override
    @Locked(name = "typed:{0}")
    public String run(String value, @CurrentLease @Nullable Lease lease) {
      return super.run(value, lease);
    }
  }

  public static class LosesIt extends Typed<String> {
    @Override
    public String run(String value, Lease lease) {
      return super.run(value, lease);
    }
  }

  private static <T> int holds(Class<? extends Typed<T>> type, T value) {
    Typed<T> made = injector.getInstance(type);
    made.run(value, null);
    return made.holds;
  }

  @Test
  @DisplayName("A type variable's method is locked once, inherited or overridden")
  void typeVariable() {
    assertEquals(1, holds(ShownOfStrings.class, "a"));
    assertEquals(1, holds(Overriding.class, "a"));
    Overriding direct = injector.getInstance(Overriding.class);
    direct.run("a", null);
    assertEquals(1, direct.holds);
    assertEquals(1, holds(Overloading.class, "a"));
  }

  @Test
  @DisplayName("An override that loses the lock is refused, also that of a type variable's method")
  void losing() {
    String message =
        assertThrows(ConfigurationException.class, () -> injector.getInstance(LosesIt.class))
            .getMessage();
    assertTrue(
        message.contains("LosesIt.run(String, Lease): it overrides LockedInheritanceTest$Typed"),
        message);
  }

  static class AnyObject {
    Object one(Lease lease) {
      return lease;
    }

    Object two(Lease lease) {
      return lease;
    }
  }

  /**
   * Each has a bridge that returns an Object; in which order they are found is the JVM's matter.
   */
  static class ALease extends AnyObject {
    @Override
    @Locked(name = "covariant")
    Lease two(@CurrentLease @Nullable Lease lease) {
      return lease;
    }

    @Override
    @Locked(name = "covariant")
    Lease one(@CurrentLease @Nullable Lease lease) {
      return lease;
    }
  }

  @Test
  @DisplayName("An override with a narrower return type is locked, whichever of the two is called")
  void narrowerReturnType() {
    ALease made = injector.getInstance(ALease.class);
    assertNotNull(made.one(null));
    assertNotNull(made.two(null));
    AnyObject called = made;
    assertNotNull(called.one(null));
    assertNotNull(called.two(null));
  }

  interface Runs<T> {
    @Locked(name = "interface")
    Object run(T value, Lease lease);
  }

  static class Unlocked implements Runs<String> {
    @Override
    public Object run(String value, Lease lease) {
      return value;
    }
  }

  @Test
  @DisplayName(
      "An interface's method with a type variable is refused where the class does not lock")
  void interfaceOfATypeVariable() {
    String message =
        assertThrows(ConfigurationException.class, () -> injector.getInstance(Unlocked.class))
            .getMessage();
    assertTrue(message.contains("Runs.run(Object, Lease): it is an interface's"), message);
  }

  interface GivesObject {
    Object run(Lease lease);
  }

  static class Both extends Hidden implements GivesObject {}

  @Test
  @DisplayName("A method that Guice would leave without a lock, hidden by a bridge, is refused")
  void hiddenByABridge() {
    assertThrows(ProvisionException.class, () -> injector.getInstance(Both.class));
  }
}
