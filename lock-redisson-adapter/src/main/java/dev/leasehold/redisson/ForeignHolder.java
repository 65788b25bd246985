package dev.leasehold.redisson;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A holder by Redisson's own locks: the field in the lock's hash.
 *
 * @param field the client's id and the thread's
 * @param threadId the thread's alone
 */
record ForeignHolder(String field, String threadId) {
  private static final Pattern FIELD =
      Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:(-?\\d{1,20})");

  /** Empty for a token of ours, whose end is longer and no number. */
  static Optional<ForeignHolder> of(String field) {
    Matcher m = FIELD.matcher(field);
    return m.matches() ? Optional.of(new ForeignHolder(field, m.group(1))) : Optional.empty();
  }
}
