package dev.leasehold.lock.spi;

/**
 * Names and foreign words as messages and logs show them: in one line, and so that nothing in them
 * can pass for something else. Stateless and thread-safe.
 */
public final class Quoted {
  private static final int SPACE = ' ';

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
