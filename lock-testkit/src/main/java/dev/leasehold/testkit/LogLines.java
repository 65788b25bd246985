package dev.leasehold.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * What is logged by a logger of the JDK's and those below it while this is open, at the level that
 * they have; without settings INFO and above. Thread-safe.
 */
public final class LogLines implements AutoCloseable {
  /** Held, so that it is not collected with its handler. */
  private final Logger logger;

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord logged) {
          lines.add(logged.getLoggerName() + " " + logged.getLevel() + " " + logged.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** Listens to {@code logger}, such as {@code dev.leasehold}, from now on. */
  public LogLines(String logger) {
    this.logger = Logger.getLogger(logger);
    this.logger.addHandler(handler);
  }

  /** In order, each as logger, level and message, whose arguments are not filled in. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** Listens no more. */
  @Override
  public void close() {
    logger.removeHandler(handler);
  }
}
