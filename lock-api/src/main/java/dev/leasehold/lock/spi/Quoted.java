package dev.leasehold.lock.spi;

import java.time.Duration;
import java.util.Optional;

/**
 * Quotes names and foreign text for messages and logs: on one line, and with escapes so that the
 * text cannot imitate anything else. Stateless and thread-safe.
 */
public final class Quoted {
  private static final int SPACE = ' ';

  private Quoted() {}

  /**
   * A lock's name in single quotes, with invisible characters escaped as in Java source: {@code
   * 'a\nb'}. Quotes and backslashes are escaped too, so that two names never look alike.
   */
  public static String name(String name) {
    return "'" + escaped(name, true) + "'";
  }

  /**
   * Text of a server or client, which may quote a name: as {@link #name}, but without quotes around
   * it, and quotes and backslashes are not escaped.
   */
  public static String text(String words) {
    return escaped(words, false);
  }

  /**
   * The text of a record in Java's format, with strings as in {@link #name} and durations as in
   * {@link Setting#written}.
   *
   * @param type the record's simple name
   * @param components alternating names and values
   */
  public static String record(String type, Object... components) {
    StringBuilder shown = new StringBuilder(type).append('[');
    for (int i = 0; i < components.length; i += 2) {
      shown
          .append(i == 0 ? "" : ", ")
          .append(components[i])
          .append('=')
          .append(value(components[i + 1]));
    }
    return shown.append(']').toString();
  }

  private static String value(Object value) {
    if (value instanceof String text) {
      return name(text);
    }
    if (value instanceof Duration time) {
      return Setting.written(time);
    }
    if (value instanceof Optional<?> optional) {
      return optional.map(Quoted::value).orElse("none");
    }
    return text(String.valueOf(value));
  }

  private static String escaped(String text, boolean quotes) {
    StringBuilder shown = null;
    for (int i = 0, next; i < text.length(); i = next) {
      int c = text.codePointAt(i);
      next = i + Character.charCount(c);
      boolean plain = quotes ? c != '\'' && c != '\\' && isSeen(c) : isSeen(c);
      if (plain && shown == null) {
        continue; // nearly always the whole text
      }
      if (shown == null) {
        shown = new StringBuilder(text.length() + SPACE).append(text, 0, i);
      }
      if (plain) {
        shown.appendCodePoint(c);
      } else {
        escape(c, shown);
      }
    }
    return shown == null ? text : shown.toString();
  }

  private static void escape(int c, StringBuilder shown) {
    switch (c) {
      case '\n' -> shown.append("\\n");
      case '\r' -> shown.append("\\r");
      case '\t' -> shown.append("\\t");
      case '\'', '\\' -> shown.append('\\').append((char) c);
      default -> {
        for (char half : Character.toChars(c)) {
          shown.append(String.format("\\u%04x", (int) half));
        }
      }
    }
  }

  /**
   * Whether a character is visible: not a control character, line separator, change of text
   * direction or lone surrogate.
   */
  private static boolean isSeen(int c) {
    if (c < SPACE) {
      return false;
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
