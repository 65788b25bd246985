package dev.leasehold.redlock;

import static java.lang.reflect.Modifier.isPrivate;
import static java.lang.reflect.Modifier.isStatic;

import dev.leasehold.simulation.Quiet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * All stories: the methods of each class of this package whose name ends in "Stories". Each is told
 * on an instance of its own. Helpers are private, or in a scene.
 */
final class Stories {
  private static final String PACKAGE = "dev.leasehold.redlock.";

  private Stories() {}

  /** Names as in {@link Mutants#story}. */
  static List<String> all() {
    try {
      Path classes =
          Path.of(Stories.class.getProtectionDomain().getCodeSource().getLocation().toURI())
              .resolve(PACKAGE.replace('.', '/'));
      try (Stream<Path> files = Files.list(classes)) {
        return files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.matches("[A-Za-z]+Stories\\.class"))
            .map(name -> name.replace(".class", ""))
            .sorted()
            .flatMap(Stories::of)
            .toList();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Stream<String> of(String simpleName) {
    try {
      return of(Class.forName(PACKAGE + simpleName));
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The stories of a class.
   *
   * @throws IllegalStateException if a method looks like neither a story nor a helper
   */
  static Stream<String> of(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(method -> !isPrivate(method.getModifiers()) && !method.isSynthetic())
        .map(method -> type.getSimpleName() + "#" + checked(method).getName())
        .sorted();
  }

  private static Method checked(Method method) {
    if (isStatic(method.getModifiers())
        || method.getParameterCount() > 0
        || method.getReturnType() != void.class) {
      throw new IllegalStateException(
          method
              + " can't be told: a story is not static, and has neither parameters nor a result;"
              + " a helper is private");
    }
    return method;
  }

  /** Runs a story on a loader's code; rethrows its exception. */
  static void tell(MutantLoader loader, String story) throws Throwable {
    String[] parts = story.split("#");
    Throwable failure =
        Quiet.during(
            () -> {
              try {
                loader.run(PACKAGE + parts[0], parts[1]);
                return null;
              } catch (Throwable e) {
                return e;
              }
            });
    if (failure != null) {
      throw failure;
    }
  }
}
