package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/**
 * A pattern for names, with the syntax of {@code SCAN}: {@code *}, {@code ?}, {@code [a-z]}, {@code
 * [^a]}, and {@code \} to escape the next character. Immutable.
 *
 * @param text the pattern as given
 * @param names matches whole names, by characters
 */
record Glob(String text, Pattern names) {
  /** The longest pattern; names may be as long. */
  static final int LONGEST = 4096;

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException if it is empty or too long
   */
  static Glob of(String text) {
    if (text.isEmpty() || text.length() > LONGEST) {
      throw new IllegalArgumentException(
          "pattern "
              + Quoted.name(text.substring(0, Math.min(text.length(), 40)))
              + " is not 1 to "
              + LONGEST
              + " characters; * stands for all names");
    }
    StringBuilder regex = new StringBuilder("(?s)");
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      int end = classEnd(text, i);
      if (c == '*') {
        regex.append(i > 0 && text.charAt(i - 1) == '*' ? "" : ".*");
      } else if (c == '?') {
        regex.append('.');
      } else if (end > 0) {
        charClass(text.substring(i + 1, end), regex);
        i = end + 1;
        continue;
      } else {
        if (c == '\\' && i + 1 < text.length()) {
          i++;
          c = text.codePointAt(i);
        }
        regex.append(Pattern.quote(Character.toString(c)));
      }
      i += Character.charCount(c);
    }
    return new Glob(text, Pattern.compile(regex.toString()));
  }

  /** Returns the end of the character class that begins here; -1 if it is not closed. */
  private static int classEnd(String text, int from) {
    if (text.charAt(from) != '[') {
      return -1;
    }
    for (int i = from + 1; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == ']' && i > from + 1) {
        return i;
      }
    }
    return -1;
  }

  private static void charClass(String inner, StringBuilder regex) {
    boolean not = inner.startsWith("^");
    regex.append(not ? "[^" : "[");
    boolean any = false;
    for (int i = not ? 1 : 0; i < inner.length(); ) {
      int c = inner.codePointAt(i);
      if (c == '\\' && i + 1 < inner.length()) {
        i++;
        c = inner.codePointAt(i);
      }
      i += Character.charCount(c);
      int to = c;
      if (i + 1 < inner.length() && inner.charAt(i) == '-') {
        to = inner.codePointAt(i + 1);
        i += 1 + Character.charCount(to);
      }
      regex.append(String.format("\\x{%x}-\\x{%x}", Math.min(c, to), Math.max(c, to)));
      any = true;
    }
    // [^] is any character, as in Redis.
    regex.append(any ? "]" : "\\x{0}-\\x{10FFFF}]");
  }

  boolean matches(String name) {
    return names.matcher(name).matches();
  }

  /** Returns whether it matches all names. */
  boolean isAll() {
    return text.chars().allMatch(c -> c == '*');
  }

  /**
   * Returns a pattern for the server, which matches at least all keys of matching names: {@code *}
   * replaces a character that may be encoded as several bytes.
   *
   * @param literal converts a literal character of a name to its form in the key
   */
  String forServer(IntFunction<String> literal) {
    StringBuilder pattern = new StringBuilder();
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      int end = classEnd(text, i);
      if (c == '*' || c == '?' || end > 0) {
        pattern.append('*');
        i = end > 0 ? end + 1 : i + 1;
        continue;
      }
      if (c == '\\' && i + 1 < text.length()) {
        i++;
        c = text.codePointAt(i);
      }
      i += Character.charCount(c);
      pattern.append(escaped(literal.apply(c)));
    }
    return pattern.toString();
  }

  private static String escaped(String literal) {
    return literal.replaceAll("([\\\\*?\\[\\]^-])", "\\\\$1");
  }
}
