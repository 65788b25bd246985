package dev.leasehold.spring.boot;

import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Logger;

/**
 * Keeps the JDK's log open while a context closes because its JVM ends.
 *
 * <p>{@link System.Logger} writes to the JDK's log, where Boot has a handler that passes lines on
 * to the application's log. The JDK removes all handlers in a shutdown hook of its own, beside that
 * of Spring. Without them no line would say which locks are closed although they are in use.
 */
final class ShutdownLog {
  private final Logger root = Logger.getLogger("");

  private volatile List<Handler> handlers = List.of();

  /** Remembers the handlers, once the application has its log. */
  void remember() {
    handlers = List.of(root.getHandlers());
  }

  /** Adds the handlers again if all were removed. */
  void reopen() {
    if (root.getHandlers().length == 0) {
      handlers.forEach(root::addHandler);
    }
  }
}
