package dev.leasehold.methods.spi;

import java.lang.reflect.Method;
import java.util.Optional;

/** The framework that creates the objects and intercepts their methods. Thread-safe. */
public interface Framework {

  /** Its name, for messages: "Guice". */
  String name();

  /**
   * Why the framework cannot intercept a method, beyond the limits of every framework: "Orders is
   * private". Empty by default.
   *
   * @param made the class of the object
   */
  default Optional<String> cannotIntercept(Class<?> made, Method method) {
    return Optional.empty();
  }

  /**
   * Resolves the framework's own placeholders in a text of the annotation. Returns the text
   * unchanged by default.
   *
   * @throws IllegalArgumentException with the reason if a placeholder cannot be resolved
   */
  default String resolve(String text) {
    return text;
  }
}
