package dev.leasehold.testkit.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Locale;
import java.util.OptionalLong;

/** Events as lines of text: eight fields separated by spaces, names percent-encoded. */
final class EventFormat {
  private static final int FIELDS = 8;
  private static final String NONE = "-";

  private EventFormat() {}

  static String line(Event e) {
    return e.nanos()
        + " "
        + word(e.kind())
        + " "
        + word(e.phase())
        + " "
        + encode(e.process())
        + " "
        + encode(e.owner())
        + " "
        + encode(e.lock())
        + " "
        + number(e.token())
        + " "
        + number(e.deadline());
  }

  static Event parse(String line) {
    String[] f = line.split(" ", -1);
    if (f.length != FIELDS) {
      throw new IllegalArgumentException(
          "'" + line + "' has " + f.length + " fields, an event has " + FIELDS);
    }
    try {
      return new Event(
          decode(f[3]),
          decode(f[4]),
          decode(f[5]),
          Event.Kind.valueOf(f[1].toUpperCase(Locale.ROOT)),
          Event.Phase.valueOf(f[2].toUpperCase(Locale.ROOT)),
          Long.parseLong(f[0]),
          number(f[6]),
          number(f[7]));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + line + "' is no event: " + e.getMessage(), e);
    }
  }

  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, UTF_8);
  }

  private static String number(OptionalLong n) {
    return n.isPresent() ? Long.toString(n.getAsLong()) : NONE;
  }

  private static OptionalLong number(String text) {
    return text.equals(NONE) ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }
}
