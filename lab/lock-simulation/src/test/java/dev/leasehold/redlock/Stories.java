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
 * All the stories that there are: of each class here whose name ends so, the static methods that
 * take and return nothing, and that others may call.
 */
final class Stories {
  private static final String PACKAGE = "dev.leasehold.redlock.";

  private Stories() {}

  /** As {@link Mutants#story} names them. */
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

  /** Those of a class. */
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
    return isStatic(method.getModifiers())
        && !isPrivate(method.getModifiers())
        && !method.isSynthetic()
        && method.getParameterCount() == 0
        && method.getReturnType() == void.class;
  }

  /** Tells one of them of what a loader has; throws what it throws. */
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
