package dev.leasehold.spring.boot;

import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Keeps the log of locks open while a context closes because its JVM ends.
 *
 * <p>{@link System.Logger} writes to the JDK's log, where Boot has a handler that passes lines on
 * to the application's log. The JDK closes and removes all handlers in a shutdown hook of its own,
 * sooner or later while that of Spring runs. Without handlers no line would say which locks are
 * closed although they are in use. So while the JVM ends, this handler passes the lines of locks on
 * to the handlers that the application had, and adds itself again when the JDK has removed it.
 */
final class ShutdownLog extends Handler {
  /** Strongly referenced, so that it is not garbage-collected with its handler. */
  private final Logger locks = Logger.getLogger("dev.leasehold");

  private volatile List<Handler> handlers = List.of();

  /** Remembers the handlers, once the application has its log. */
  void remember() {
    handlers = List.of(Logger.getLogger("").getHandlers());
  }

  /** Passes lines on from now on, if the JVM ends and the log of another context does not. */
  void keepOpen() {
    if (isJvmEnding() && locks.getUseParentHandlers()) {
      locks.addHandler(this);
      locks.setUseParentHandlers(false); // while the root has its handlers, no line is there twice
    }
  }

  private static boolean isJvmEnding() {
    Thread hook = new Thread(() -> {}, "leasehold-never-started");
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      Runtime.getRuntime().removeShutdownHook(hook);
      return false;
    } catch (IllegalStateException ending) {
      return true;
    }
  }

  @Override
  public void publish(LogRecord logged) {
    handlers.forEach(handler -> handler.publish(logged));
  }

  @Override
  public void flush() {
    handlers.forEach(Handler::flush);
  }

  /** Called by the JDK's shutdown hook, which has removed this handler and is done with it. */
  @Override
  public void close() {
    locks.addHandler(this);
  }
}
