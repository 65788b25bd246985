package dev.leasehold.testkit;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The text by which another JVM makes a backend")
class RecipeTest {
  /** A table of backends. */
  public static final class Table {
    private Table() {}

    /** The backend of this name. */
    public static BackendUnderTest byName(String name) {
      if (!name.equals("on a map, say")) {
        throw new IllegalArgumentException(name);
      }
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
    assertThrows(IllegalArgumentException.class, () -> Recipe.make(unknown));
  }
}
