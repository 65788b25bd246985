package dev.leasehold.testkit.history;

import java.util.List;

/**
 * The result of a check.
 *
 * @param history the history checked
 * @param holds number of holds
 * @param refusals number of refused attempts
 * @param violations all violations, lock by lock
 */
public record Verdict(History history, int holds, int refusals, List<Violation> violations) {
  private static final int MOST_SHOWN = 5;
  private static final int MOST_LINES = 24;

  /** Whether no bug was found. */
  public boolean isClean() {
    return bugs().isEmpty();
  }

  /** The violations that are bugs. */
  public List<Violation> bugs() {
    return violations.stream().filter(v -> v.blame() == Violation.Blame.BUG).toList();
  }

  /** The violations of a given kind. */
  public List<Violation> of(Violation.Kind kind) {
    return violations.stream().filter(v -> v.kind() == kind).toList();
  }

  /**
   * Fails if a bug was found.
   *
   * @throws AssertionError with the bugs and the relevant parts of the history
   */
  public void assertClean() {
    if (!isClean()) {
      throw new AssertionError(this);
    }
  }

  /** The counts and the first violations, bugs first, with the surrounding history. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(holds).append(" holds, ").append(refusals).append(" refusals, ");
    text.append(bugs().size()).append(" bugs, ");
    text.append(violations.size() - bugs().size()).append(" effects of the environment\n");
    violations.stream()
        .sorted((a, b) -> a.blame().compareTo(b.blame()))
        .limit(MOST_SHOWN)
        .forEach(
            v ->
                text.append(v.kind() + " (" + v.blame() + ") of '" + v.lock() + "': ")
                    .append(v.message())
                    .append('\n')
                    .append(history.excerpt(v.lock(), v.from(), v.to(), MOST_LINES)));
    if (violations.size() > MOST_SHOWN) {
      text.append("... and ").append(violations.size() - MOST_SHOWN).append(" more\n");
    }
    return text.toString();
  }
}
