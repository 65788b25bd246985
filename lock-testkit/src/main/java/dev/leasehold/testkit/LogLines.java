package dev.leasehold.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Records what a {@code java.util.logging} logger and its descendants log while this is open, at
 * their configured levels; by default INFO and above. Thread-safe.
 */
public final class LogLines implements AutoCloseable {
  /** Strongly referenced, so that it is not garbage-collected with its handler. */
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

  /** Starts recording {@code logger}, such as {@code dev.leasehold}. */
  public LogLines(String logger) {
    this.logger = Logger.getLogger(logger);
    this.logger.addHandler(handler);
  }

  /**
   * The recorded lines in order, each with logger, level and message pattern without its arguments.
   */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** Stops recording. */
  @Override
  public void close() {
    logger.removeHandler(handler);
  }
}
