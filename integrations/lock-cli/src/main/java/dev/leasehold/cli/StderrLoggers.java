package dev.leasehold.cli;

import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Writes warnings of the library to standard error, as messages of the command: lost leases and
 * failures explain why a command was ended.
 */
public final class StderrLoggers extends System.LoggerFinder {

  /** Called by {@link java.util.ServiceLoader}. */
  public StderrLoggers() {}

  @Override
  public System.Logger getLogger(String name, Module module) {
    return new Logger(name);
  }

  private record Logger(String name) implements System.Logger {
    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.getSeverity() >= Level.WARNING.getSeverity() && level != Level.OFF;
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String text,
        @Nullable Throwable thrown) {
      if (isLoggable(level)) {
        Messages.warning(text + (thrown == null ? "" : ": " + thrown.getMessage()));
      }
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object... values) {
      if (isLoggable(level)) {
        boolean plain = format == null || values == null || values.length == 0;
        Messages.warning(plain ? "" + format : java.text.MessageFormat.format(format, values));
      }
    }
  }
}
