package dev.leasehold.admin;

import dev.leasehold.lock.spi.Quoted;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The reason why a name is held by hand, and the end of that. Both are part of the hold's label, so
 * clients of any version that are refused can read them in {@code HolderInfo.holder()}: {@code
 * maintenance@restore_of_orders@until-2026-11-26T06.00Z}.
 *
 * @param reason 1 to {@value #MOST_REASON} of A-Z a-z 0-9 . - and spaces, but no leading or
 *     trailing space
 * @param until when the hold expires; the label shows it rounded up to the minute
 */
public record Maintenance(String reason, Instant until) {
  /** The most characters of a reason. */
  public static final int MOST_REASON = 28;

  private static final Pattern REASON =
      Pattern.compile("[A-Za-z0-9.-](?:[A-Za-z0-9. -]{0,26}[A-Za-z0-9.-])?");
  private static final Pattern LABEL =
      Pattern.compile(
          "maintenance@([A-Za-z0-9._-]+)@until-(\\d{4}-\\d\\d-\\d\\dT\\d\\d\\.\\d\\dZ)");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH.mm'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /**
   * Checks the reason.
   *
   * @throws IllegalArgumentException if it contains other characters, or too many
   */
  public Maintenance {
    Objects.requireNonNull(until, "until");
    if (!REASON.matcher(reason).matches()) {
      throw new IllegalArgumentException(
          "reason "
              + Quoted.name(reason)
              + " is not 1 to "
              + MOST_REASON
              + " characters of A-Z a-z 0-9 . - and spaces between them");
    }
  }

  /** Returns the label of the hold. */
  String label() {
    Instant minute = until.truncatedTo(ChronoUnit.MINUTES);
    Instant shown = minute.equals(until) ? minute : minute.plus(1, ChronoUnit.MINUTES);
    return "maintenance@" + reason.replace(' ', '_') + "@until-" + TIME.format(shown);
  }

  /** Parses a holder's label; empty if the hold is not for maintenance. */
  static Optional<Maintenance> of(String label) {
    Matcher m = LABEL.matcher(label);
    if (!m.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Maintenance(m.group(1).replace('_', ' '), TIME.parse(m.group(2), Instant::from)));
    } catch (DateTimeParseException | IllegalArgumentException e) {
      return Optional.empty(); // a label that an application gave itself
    }
  }
}
