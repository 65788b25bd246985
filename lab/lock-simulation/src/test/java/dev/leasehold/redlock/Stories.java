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
 * All stories: for each class of this package whose name ends in "Stories", the non-private methods
 * without parameters and result. Each is told on an instance of its own.
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

  /** The stories of a class. */
  static Stream<String> of(String simpleName) {
    try {
      return Arrays.stream(Class.forName(PACKAGE + simpleName).getDeclaredMethods())
          .filter(Stories::isStory)
          .map(method -> simpleName + "#" + method.getName())
          .sorted();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isStory(Method method) {
    return !isStatic(method.getModifiers())
        && !isPrivate(method.getModifiers())
        && !method.isSynthetic()
        && method.getParameterCount() == 0
        && method.getReturnType() == void.class;
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
