package dev.leasehold.examples.messages;

import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockListener;
import dev.leasehold.lock.NodeEvent;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** All that comes out: exceptions with their causes, texts, events, and logs at all levels. */
final class Heard extends Handler implements LockListener {
  private static final Logger OURS = Logger.getLogger("dev.leasehold");

  private final Queue<String> all = new ConcurrentLinkedQueue<>();
  private final Level before = OURS.getLevel();

  /** Listens from now on. */
  Heard() {
    setLevel(Level.ALL);
    OURS.setLevel(Level.ALL);
    OURS.addHandler(this);
  }

  void text(Object told) {
    all.add(String.valueOf(told));
  }

  /** With its stack, causes and what was suppressed. */
  void thrown(Throwable failure) {
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

  @Override
  public void publish(LogRecord logged) {
    all.add(new SimpleFormatter().format(logged));
  }

  String all() {
    return String.join("\n", all);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    OURS.removeHandler(this);
    OURS.setLevel(before);
  }
}
