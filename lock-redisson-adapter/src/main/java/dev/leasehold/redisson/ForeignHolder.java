package dev.leasehold.redisson;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A holder through Redisson's own locks: the field in the lock's hash.
 *
 * @param field the ids of client and thread
 * @param threadId the thread's alone
 */
record ForeignHolder(String field, String threadId) {
  private static final Pattern FIELD =
      Pattern.compile("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:(-?\\d{1,20})");

  /** Empty for a token of ours, which ends in a longer text that is not a number. */
  static Optional<ForeignHolder> of(String field) {
    Matcher m = FIELD.matcher(field);
    return m.matches() ? Optional.of(new ForeignHolder(field, m.group(1))) : Optional.empty();
  }
}
