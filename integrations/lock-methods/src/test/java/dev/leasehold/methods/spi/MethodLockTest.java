package dev.leasehold.methods.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.methods.Locked;
import dev.leasehold.methods.OnTimeout;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A @Locked method is read and checked before it is called")
class MethodLockTest {

  /** Placeholders as a framework may have them. */
  private static final Framework FRAMEWORK =
      new Framework() {
        @Override
        public String name() {
          return "a framework";
        }

        @Override
        public Optional<String> cannotIntercept(Class<?> made, Method method) {
          return method.getName().equals("odd") ? Optional.of("it is odd") : Optional.empty();
        }

        @Override
        public String resolve(String text) {
          if (text.contains("${missing}")) {
            throw new IllegalArgumentException("there is no missing");
          }
          return text.replace("${wait}", "2s");
        }
      };

  /** What is locked by its type's argument. */
  abstract static class ById<T> {
    @Locked(name = "by-id:{0}")
    public void lock(T id) {}
  }

  static class ByUuid extends ById<UUID> {}

  static class ByAnything<T> extends ById<T> {}

  static class Wrong {
    @Locked(name = "a", waitFor = "0s", onTimeout = OnTimeout.SKIP)
    public int counted() {
      return 1;
    }

    @Locked(name = "a", onTimeout = OnTimeout.SKIP)
    public void forever() {}

    @Locked(name = "a")
    public void odd() {}

    @Locked(name = "a", waitFor = "${missing}")
    public void placeholder() {}
  }

  static class Right {
    @Locked(name = "a", waitFor = "${wait}", onTimeout = OnTimeout.SKIP)
    public void job() {}
  }

  private static String problem(Class<?> type, String name) {
    List<String> problems = read(type, name);
    assertEquals(1, problems.size(), problems::toString);
    return problems.get(0);
  }

  private static List<String> read(Class<?> type, String name) {
    LockedScan scan = LockedScan.of(type, FRAMEWORK);
    assertEquals(List.of(), scan.problems());
    List<String> problems = new ArrayList<>();
    scan.methods().stream()
        .filter(method -> method.getName().equals(name))
        .forEach(
            method ->
                assertEquals(
                    MethodLock.of(MemberTypes.of(type), method, FRAMEWORK, problems).isEmpty(),
                    !problems.isEmpty()));
    return problems;
  }

  @Test
  @DisplayName("A type variable is resolved in the inheriting class")
  void generic() {
    assertEquals(List.of(), read(ByUuid.class, "lock"));
    assertTrue(problem(ByAnything.class, "lock").contains("{0} is of type java.lang.Object"));
  }

  @Test
  @DisplayName("A call can be skipped only where it returns nothing and does not wait forever")
  void skipping() {
    String counted = problem(Wrong.class, "counted");
    assertTrue(counted.contains("it returns int, which a call that is skipped"), counted);
    assertTrue(counted.endsWith("would not have: return void"), counted);
    assertTrue(problem(Wrong.class, "forever").endsWith("set waitFor, to 0s for one attempt"));
    assertEquals(List.of(), read(Right.class, "job"));
  }

  @Test
  @DisplayName("The framework's own reasons and placeholders are its own")
  void framework() {
    assertTrue(
        problem(Wrong.class, "odd")
            .endsWith("it is odd, so that a framework can't put a lock around it"));
    String missing = "waitFor = \"${missing}\": there is no missing";
    assertTrue(read(Wrong.class, "placeholder").get(0).endsWith(missing));
  }
}
