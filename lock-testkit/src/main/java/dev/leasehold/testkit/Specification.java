package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.testkit.RuleText.Sampling;
import dev.leasehold.testkit.RuleText.Testing;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules of {@code SPEC.md}, the only source of their sentences. */
public final class Specification {
  private static final Pattern HEADING =
      Pattern.compile("### ([A-Z]{2}-\\d+)((?: \\[[A-Z_]+])*)( · stochastic)?");
  private static final Pattern GUARANTEE = Pattern.compile("\\[([A-Z_]+)]");

  private static final Pattern HINT = Pattern.compile("(?ms)^\\*If it fails:\\* (.*?)(?:\n\n|\\z)");

  private Specification() {}

  /** All rules, in the page's order. */
  public static List<RuleText> rules() {
    return Loaded.RULES;
  }

  /** A rule by its number. */
  public static Optional<RuleText> rule(String id) {
    return rules().stream().filter(rule -> rule.id().equals(id)).findFirst();
  }

  /**
   * Reads a page.
   *
   * @throws IllegalArgumentException if a rule's heading is malformed
   */
  static List<RuleText> parse(String page) {
    List<RuleText> rules = new ArrayList<>();
    String theme = "";
    for (String block : page.split("\n(?=##)", -1)) {
      String heading = block.lines().findFirst().orElse("");
      if (heading.startsWith("### ")) {
        rules.add(rule(theme, heading, block));
      } else if (heading.startsWith("## ")) {
        theme = heading.substring("## ".length()).strip();
      }
    }
    return List.copyOf(rules);
  }

  private static RuleText rule(String theme, String heading, String block) {
    Matcher m = HEADING.matcher(heading);
    if (!m.matches()) {
      throw new IllegalArgumentException("not a rule's heading: " + heading);
    }
    List<Guarantee> guarantees =
        GUARANTEE.matcher(m.group(2)).results().map(Specification::guarantee).toList();
    String body = block.substring(heading.length()).strip();
    String sentence = body.split("\n\n", 2)[0].replace('\n', ' ');
    return new RuleText(
        m.group(1),
        theme,
        sentence,
        guarantees,
        m.group(3) == null ? Sampling.FIXED : Sampling.STOCHASTIC,
        block.contains("\n*Untested:*") ? Testing.UNTESTED : Testing.TESTED,
        hint(body));
  }

  private static String hint(String body) {
    Matcher m = HINT.matcher(body);
    return m.find() ? m.group(1).replace('\n', ' ') : "";
  }

  private static Guarantee guarantee(MatchResult mark) {
    return Guarantee.valueOf(mark.group(1));
  }

  private static final class Loaded {
    static final List<RuleText> RULES = parse(page());

    private static String page() {
      try (InputStream in = Specification.class.getResourceAsStream("SPEC.md")) {
        if (in == null) {
          throw new IllegalStateException("SPEC.md is missing beside " + Specification.class);
        }
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
