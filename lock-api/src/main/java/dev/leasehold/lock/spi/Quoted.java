package dev.leasehold.lock.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Names and foreign words as messages and logs show them: in one line, and so that nothing in them
 * can pass for something else. Stateless and thread-safe.
 */
public final class Quoted {
  private static final int SPACE = ' ';
  private static final Duration MILLISECOND = Duration.ofMillis(1);

  private Quoted() {}

  /**
   * A lock's name in single quotes, with what is not seen written as in Java source: {@code
   * 'a\nb'}. A quote and a backslash are escaped too, so that two names never look alike.
   */
  public static String name(String name) {
    return "'" + escaped(name, true) + "'";
  }

  /** The words of a server or client, which may quote a name: as {@link #name}, without quotes. */
  public static String text(String words) {
    return escaped(words, false);
  }

  /**
   * A record's text, as Java writes it but that texts are shown as {@link #name} does, and
   * durations as {@link Setting#written} does: in milliseconds, what is less left out.
   *
   * @param type the record's simple name
   * @param components names and values in turn
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
      return Setting.written(time.abs().compareTo(MILLISECOND) < 0 ? Duration.ZERO : time);
    }
    if (value instanceof Optional<?> optional) {
      return optional.map(Quoted::value).orElse("none");
    }
    if (value instanceof List<?> list) {
      return list.stream().map(Quoted::value).collect(Collectors.joining(", ", "[", "]"));
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
        continue; // nearly always all of it
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

  /** Not a control character, a line's end, a change of direction or half a character. */
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
