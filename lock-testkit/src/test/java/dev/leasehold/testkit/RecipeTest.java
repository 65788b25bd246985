package dev.leasehold.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The text by which another JVM makes a backend")
class RecipeTest {
  private static final String TABLE = "named " + Table.class.getName();

  /** A table of backends. */
  public static final class Table {
    private Table() {}

    /** The backend of this name. */
    public static @Nullable BackendUnderTest byName(String name) {
      return switch (name) {
        case "on a map, say" -> new MapBackend();
        case "nothing" -> null;
        case "an error" -> throw new AssertionError(name);
        default -> throw new IllegalArgumentException("no such: " + name);
      };
    }
  }

  /** Each is no table, for one reason. */
  static final class Hidden {
    private Hidden() {}

    public static BackendUnderTest byName(String name) {
      return new MapBackend();
    }
  }

  /** Its method needs an instance. */
  public static final class Instance {
    /** The backend of this name. */
    public BackendUnderTest byName(String name) {
      return new MapBackend();
    }
  }

  /** Its method returns something else. */
  public static final class Other {
    private Other() {}

    /** No backend. */
    public static String byName(String name) {
      return name;
    }
  }

  /** Its method takes something else. */
  public static final class Number {
    private Number() {}

    /** The backend of this number. */
    public static BackendUnderTest byName(int number) {
      return new MapBackend();
    }
  }

  @Test
  @DisplayName("names one of a table, or a class")
  void made() {
    String named = Recipe.ofNamed(Table.class, "on a map, say");
    assertInstanceOf(MapBackend.class, Recipe.make(named));
    assertInstanceOf(MapBackend.class, Recipe.make(new MapBackend().recipe()));
  }

  @Test
  @DisplayName("is refused if the table does not have it")
  void unknown() {
    String unknown = Recipe.ofNamed(Table.class, "another");
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Recipe.make(unknown));
    assertEquals("no backend can be made of '" + TABLE + " another'", refused.getMessage());
    IllegalArgumentException cause =
        assertInstanceOf(IllegalArgumentException.class, refused.getCause());
    assertEquals("no such: another", cause.getMessage());
  }

  @Test
  @DisplayName("is refused with its cause, whatever the table does")
  void cause() {
    Map<String, Class<? extends Throwable>> causes =
        Map.of(
            "no recipe",
            IllegalArgumentException.class,
            "class java.lang.Object",
            ClassCastException.class,
            "class no.such.Backend",
            ClassNotFoundException.class,
            "named " + Instance.class.getName() + " a",
            NullPointerException.class,
            "named " + Other.class.getName() + " a",
            ClassCastException.class,
            TABLE,
            ArrayIndexOutOfBoundsException.class,
            TABLE + " nothing",
            NullPointerException.class,
            TABLE + " an error",
            AssertionError.class);
    causes.forEach(
        (recipe, cause) -> {
          IllegalArgumentException refused =
              assertThrows(IllegalArgumentException.class, () -> Recipe.make(recipe), recipe);
          assertTrue(refused.getMessage().contains("'" + recipe + "'"), refused::getMessage);
          assertInstanceOf(cause, refused.getCause(), recipe);
        });
  }

  @Test
  @DisplayName("needs a public table, and a name in one line")
  void checked() {
    for (Class<?> table : List.of(Hidden.class, Instance.class, Other.class, Number.class)) {
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> Recipe.ofNamed(table, "a"));
      assertTrue(refused.getMessage().startsWith(table.getName() + " is no"), refused::getMessage);
    }
    for (String name : List.of("a\nb", "a\rb")) {
      assertThrows(IllegalArgumentException.class, () -> Recipe.ofNamed(Table.class, name));
    }
  }
}
