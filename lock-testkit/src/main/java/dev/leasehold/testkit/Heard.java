package dev.leasehold.testkit;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.NodeEvent;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Records all output of locks while open: log messages at all levels, events, and texts that a test
 * adds. For tests that it contains no secret and no injected line. Thread-safe.
 */
public final class Heard implements LockListener, AutoCloseable {
  private static final int BEFORE = 300;
  private static final int AFTER = 100;

  /** Strongly referenced, so that it is not garbage-collected with its level and handler. */
  private final Logger logger = Logger.getLogger("dev.leasehold");

  private final Level before = logger.getLevel();
  private final Queue<String> all = new ConcurrentLinkedQueue<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord logged) {
          all.add(new SimpleFormatter().format(logged));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  /** Starts recording the loggers of {@code dev.leasehold}. */
  public Heard() {
    logger.setLevel(Level.ALL);
    logger.addHandler(handler);
  }

  /** Adds an object's text. */
  public void text(Object told) {
    all.add(String.valueOf(told));
  }

  /** Adds an exception, with its stack trace, causes and suppressed exceptions. */
  public void thrown(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text, true));
    all.add(text.toString());
  }

  @Override
  public void on(LockEvent event) {
    text(event);
    if (event instanceof LockEvent.Failed failed) {
      thrown(failed.cause());
    }
  }

  @Override
  public void onNode(NodeEvent event) {
    text(event);
    if (event instanceof NodeEvent.Down down) {
      thrown(down.cause());
    }
  }

  /** Everything recorded so far, in order. */
  public String all() {
    return String.join("\n", all);
  }

  /** The context of the first occurrence of {@code text}; empty if there is none. */
  public Optional<String> around(String text) {
    String heard = all();
    int at = heard.indexOf(text);
    return at < 0
        ? Optional.empty()
        : Optional.of(
            heard.substring(Math.max(0, at - BEFORE), Math.min(heard.length(), at + AFTER)));
  }

  /** Stops recording. */
  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setLevel(before);
  }
}
