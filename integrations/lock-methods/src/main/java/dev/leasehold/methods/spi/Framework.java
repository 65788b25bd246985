package dev.leasehold.methods.spi;

import java.lang.reflect.Method;
import java.util.Optional;

/** What makes the objects, and puts locks around their methods. Thread-safe. */
public interface Framework {

  /** Its name, for messages: "Guice". */
  String name();

  /**
   * Why it can't put a lock around a method, beyond what no framework can: "Orders is private".
   * Empty by default.
   *
   * @param made the class of the object
   */
  default Optional<String> cannotIntercept(Class<?> made, Method method) {
    return Optional.empty();
  }

  /**
   * A text of the annotation with the framework's own placeholders filled in. The text itself by
   * default.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  default String resolve(String text) {
    return text;
  }
}
