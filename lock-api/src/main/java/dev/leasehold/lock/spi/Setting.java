package dev.leasehold.lock.spi;

import dev.leasehold.lock.LockConfigurationException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A setting: its key, type, default, range and meaning. Immutable.
 *
 * @param <T> type of its value
 */
public final class Setting<T> {
  private static final Pattern SHORT_DURATION = Pattern.compile("(\\d+)\\s*([a-z]+)");

  /** Replaces hidden text; its length reveals nothing. */
  private static final String MASK = "***";

  private static final String ONE_OF = "one of ";

  private static final Duration MOST_WRITTEN = Duration.ofDays(100_000);
  private static final MathContext TWO_DIGITS = new MathContext(2);
  private static final int NANO_DIGITS = 6; // of a millisecond

  private final String key;
  private final String type;
  private final @Nullable String defaultText;
  private final String meaning;
  private final Function<String, T> parser;
  private final Shown shown;

  /** How much of a value messages show. */
  private enum Shown {
    ALL,
    NO_LOGIN,
    NOTHING
  }

  private Setting(
      String key,
      String type,
      @Nullable String defaultText,
      String meaning,
      Function<String, T> parser) {
    this(key, type, defaultText, meaning, parser, Shown.ALL);
  }

  private Setting(
      String key,
      String type,
      @Nullable String defaultText,
      String meaning,
      Function<String, T> parser,
      Shown shown) {
    this.key = key;
    this.type = type;
    this.defaultText = defaultText;
    this.meaning = meaning;
    this.parser = parser;
    this.shown = shown;
  }

  /**
   * A duration: {@code 250ms}, {@code 2s}, {@code 5m}, {@code 1h}, {@code 1d}, units may be written
   * out ({@code 2 seconds}); or ISO 8601 ({@code PT2S}).
   */
  public static Setting<Duration> duration(
      String key, Duration defaultValue, Duration least, Duration most, String meaning) {
    return new Setting<>(
        key,
        "duration from " + written(least) + " to " + written(most),
        written(defaultValue),
        meaning,
        text -> inRange(parseDuration(text), least, most));
  }

  /** A whole number. */
  public static Setting<Integer> integer(
      String key, int defaultValue, int least, int most, String meaning) {
    return new Setting<>(
        key,
        "whole number from " + least + " to " + most,
        Integer.toString(defaultValue),
        meaning,
        text -> inRange(Integer.valueOf(text.strip()), least, most));
  }

  /** A boolean: {@code true} or {@code false}, case-insensitive. */
  public static Setting<Boolean> flag(String key, boolean defaultValue, String meaning) {
    List<String> allowed = List.of("true", "false");
    return new Setting<>(
        key,
        ONE_OF + String.join(", ", allowed),
        Boolean.toString(defaultValue),
        meaning,
        text -> Boolean.valueOf(listed(text.toLowerCase(Locale.ROOT), allowed)));
  }

  /** One of the allowed words. */
  public static Setting<String> choice(
      String key, String defaultValue, List<String> allowed, String meaning) {
    return new Setting<>(
        key,
        ONE_OF + String.join(", ", allowed),
        defaultValue,
        meaning,
        text -> listed(text, allowed));
  }

  private static String listed(String text, List<String> allowed) {
    if (!allowed.contains(text.strip())) {
      throw new IllegalArgumentException("not in the list");
    }
    return text.strip();
  }

  /** Text, with a default. */
  public static Setting<String> text(String key, String defaultValue, String meaning) {
    return new Setting<>(key, "text", defaultValue, meaning, Function.identity());
  }

  /** Text without a default, which may be absent. */
  public static Setting<String> optionalText(String key, String meaning) {
    return new Setting<>(key, "text", null, meaning, Function.identity());
  }

  /** Comma-separated texts, with a default. */
  public static Setting<List<String>> list(String key, String defaultValue, String meaning) {
    return text(key, defaultValue, meaning)
        .typed("texts separated by commas")
        .map(
            text ->
                Arrays.stream(text.split(","))
                    .map(String::strip)
                    .filter(s -> !s.isEmpty())
                    .toList());
  }

  /**
   * This setting with a further parsing step, which throws {@link IllegalArgumentException} with
   * the reason if it rejects the value.
   */
  public <R> Setting<R> map(Function<? super T, ? extends R> step) {
    return new Setting<>(
        key, type, defaultText, meaning, text -> step.apply(parser.apply(text)), shown);
  }

  /** This setting with another description of what is allowed. */
  public Setting<T> typed(String description) {
    return new Setting<>(key, description, defaultText, meaning, parser, shown);
  }

  /** This setting under another key, for example to set it for one lock among several. */
  public Setting<T> at(String otherKey) {
    return new Setting<>(otherKey, type, defaultText, meaning, parser, shown);
  }

  /** This setting with its value hidden in messages. For passwords. */
  public Setting<T> secret() {
    return new Setting<>(key, type, defaultText, meaning, parser, Shown.NOTHING);
  }

  /**
   * This setting with users and passwords hidden in messages, by {@link Addresses#masked}. For
   * addresses that may contain them.
   */
  public Setting<T> address() {
    return new Setting<>(key, type, defaultText, meaning, parser, Shown.NO_LOGIN);
  }

  /** The text of a value as shown in messages. */
  public String shown(String text) {
    return switch (shown) {
      case ALL -> text;
      case NO_LOGIN -> Addresses.masked(text);
      case NOTHING -> MASK;
    };
  }

  /** The key: {@code lock.} and lower-case words with hyphens, separated by dots. */
  public String key() {
    return key;
  }

  /** A description of the values allowed. */
  public String type() {
    return type;
  }

  /** The default in the format of a setting; empty if there is none. */
  public Optional<String> defaultText() {
    return Optional.ofNullable(defaultText);
  }

  /** The default; empty if there is none. */
  public Optional<T> defaultValue() {
    return defaultText().map(parser);
  }

  /** The purpose of the setting, in one sentence. */
  public String meaning() {
    return meaning;
  }

  /**
   * Parses a value.
   *
   * @param origin where the text was found, for the message
   * @throws LockConfigurationException naming key, value, origin and the values allowed
   */
  public T parse(String text, String origin) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException | ArithmeticException | DateTimeParseException e) {
      throw new LockConfigurationException(
          key
              + " = '"
              + shown(text)
              + "' ("
              + origin
              + ") is invalid; expected: "
              + type
              + (e.getMessage() == null ? "" : " (" + e.getMessage() + ")"),
          e);
    }
  }

  private static Duration parseDuration(String text) {
    Matcher m = SHORT_DURATION.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!m.matches()) {
      if (text.strip().matches("\\d+")) {
        throw new IllegalArgumentException("the unit is missing: ms, s, m, h or d");
      }
      return Duration.parse(text.strip());
    }
    long n = Long.parseLong(m.group(1));
    return switch (m.group(2)) {
      case "ms", "milli", "millis", "millisecond", "milliseconds" -> Duration.ofMillis(n);
      case "s", "second", "seconds" -> Duration.ofSeconds(n);
      case "m", "minute", "minutes" -> Duration.ofMinutes(n);
      case "h", "hour", "hours" -> Duration.ofHours(n);
      case "d", "day", "days" -> Duration.ofDays(n);
      default ->
          throw new IllegalArgumentException(
              "'" + m.group(2) + "' is no unit: allowed are ms, s, m, h and d");
    };
  }

  /**
   * A duration as settings write it: {@code 250ms}, {@code 2s}, {@code 5m}, {@code 1h}, {@code 1d}.
   * Durations below a millisecond have up to two significant digits: {@code 0.1ms}, {@code 0.38ms};
   * longer ones are truncated to milliseconds. Durations over 100 000 days are written in days.
   */
  public static String written(Duration d) {
    if (d.abs().compareTo(MOST_WRITTEN) > 0) {
      return d.toDays() + "d";
    }
    long ms = d.toMillis();
    if (ms == 0 && !d.isZero()) {
      return BigDecimal.valueOf(d.toNanos(), NANO_DIGITS)
              .round(TWO_DIGITS)
              .stripTrailingZeros()
              .toPlainString()
          + "ms";
    }
    if (ms % 1000 != 0 || ms == 0) {
      return ms + "ms";
    }
    return ms % 86_400_000 == 0
        ? d.toDays() + "d"
        : ms % 3_600_000 == 0
            ? d.toHours() + "h"
            : ms % 60_000 == 0 ? d.toMinutes() + "m" : d.toSeconds() + "s";
  }

  private static <C extends Comparable<C>> C inRange(C value, C least, C most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException("out of range");
    }
    return value;
  }

  @Override
  public String toString() {
    return key;
  }
}
