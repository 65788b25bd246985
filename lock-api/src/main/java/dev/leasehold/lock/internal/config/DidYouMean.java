package dev.leasehold.lock.internal.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests the intended word for a mistyped one. */
final class DidYouMean {
  private DidYouMean() {}

  /** Returns the known word with the fewest changes, if they are at most a fifth of its length. */
  static Optional<String> to(String word, Collection<String> known) {
    return known.stream()
        .filter(candidate -> distance(word, candidate) <= Math.max(2, candidate.length() / 5))
        .min(
            Comparator.<String>comparingInt(candidate -> distance(word, candidate))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Characters to insert, delete or replace (Levenshtein 1965). */
  static int distance(String a, String b) {
    int[] above = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
      }
      above = row;
    }
    return above[b.length()];
  }
}
