package dev.leasehold.lock.internal;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is written to the log of the lock engine at INFO or above while this is open. */
final class LogLines implements AutoCloseable {
  private final Logger logger = Logger.getLogger("dev.leasehold.lock");
  private final Level levelBefore = logger.getLevel();
  private final boolean parentBefore = logger.getUseParentHandlers();
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord logged) {
          if (logged.getLevel().intValue() >= Level.INFO.intValue()) {
            logged.getSourceClassName(); // found out at the first call, from the stack of now
            records.add(logged);
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  LogLines() {
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
  }

  List<LogRecord> records() {
    return List.copyOf(records);
  }

  /** Those about one lock: what other tests in this JVM left behind logs too. */
  List<LogRecord> about(String lockName) {
    return records.stream().filter(r -> r.getMessage().contains("'" + lockName + "'")).toList();
  }

  List<String> lines() {
    return records.stream().map(LogRecord::getMessage).toList();
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setLevel(levelBefore);
    logger.setUseParentHandlers(parentBefore);
  }
}
