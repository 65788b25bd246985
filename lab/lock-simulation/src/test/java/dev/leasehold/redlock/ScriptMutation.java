package dev.leasehold.redlock;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A script's file with one comparison, bound or call gone wrong. They are made by rule: each
 * comparison is turned round and has its bound moved, each number (but an index of keys or
 * arguments) is one more, {@code and} is {@code or}, {@code not} is gone, {@code max} is {@code
 * min}, plus is minus, true is false, and each call whose reply nobody looks at is gone.
 *
 * @param file its name
 * @param shown the line, with what is changed in it: as long as code around it stays, this names
 *     the same mutation
 * @param text of the file, as it is then
 */
record ScriptMutation(String file, String shown, String text) {
  private static final Pattern TOKEN =
      Pattern.compile(
          "--[^\\n]*|'(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\"|\\d+(?:\\.\\d+)?|[A-Za-z_]\\w*"
              + "|\\.\\.\\.|\\.\\.|==|~=|<=|>=|[^\\s\\w]");

  private static final Map<String, List<String>> OTHERS =
      Map.ofEntries(
          Map.entry("==", List.of("~=")),
          Map.entry("~=", List.of("==")),
          Map.entry("<", List.of("<=", ">=")),
          Map.entry("<=", List.of("<", ">")),
          Map.entry(">", List.of(">=", "<=")),
          Map.entry(">=", List.of(">", "<")),
          Map.entry("and", List.of("or")),
          Map.entry("or", List.of("and")),
          Map.entry("not", List.of("")),
          Map.entry("max", List.of("min")),
          Map.entry("min", List.of("max")),
          Map.entry("true", List.of("false")),
          Map.entry("false", List.of("true")));

  /** After these a statement begins, wherever the line does. */
  private static final Set<String> BEFORE_STATEMENTS = Set.of("then", "do", "else");

  /** What comes before an operand: the minus after it is a sign. */
  private static final Set<String> BEFORE_OPERANDS =
      Set.of(
          "return", "and", "or", "not", "(", ",", "=", "{", "[", "+", "-", "*", "/", "%", "<", ">",
          "==", "~=", "<=", ">=", "..");

  private record Token(String text, int from, int to) {}

  private record Change(int from, int to, String instead) {}

  /** All of a file. */
  static List<ScriptMutation> of(String file, String shipped) {
    List<Change> changes = changes(tokens(shipped), shipped);
    Map<String, Integer> known = new HashMap<>();
    List<ScriptMutation> all = new ArrayList<>();
    for (Change change : changes) {
      String line = shown(shipped, change);
      int count = known.merge(line, 1, Integer::sum);
      String text =
          shipped.substring(0, change.from) + change.instead + shipped.substring(change.to);
      all.add(new ScriptMutation(file, count == 1 ? line : line + " #" + count, text));
    }
    return all;
  }

  private static String shown(String shipped, Change change) {
    int begin = shipped.lastIndexOf('\n', change.from) + 1;
    int end = shipped.indexOf('\n', change.to);
    String what = shipped.substring(change.from, change.to);
    String line =
        shipped.substring(begin, change.from)
            + "«"
            + what
            + "»"
            + (change.instead.isEmpty() ? "" : change.instead + "»")
            + shipped.substring(change.to, end < 0 ? shipped.length() : end);
    return line.strip().replaceAll("\\s+", " ");
  }

  private static List<Token> tokens(String text) {
    List<Token> all = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(text);
    while (matcher.find()) {
      if (!matcher.group().startsWith("--")) {
        all.add(new Token(matcher.group(), matcher.start(), matcher.end()));
      }
    }
    return all;
  }

  private static List<Change> changes(List<Token> tokens, String text) {
    List<Change> all = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      String before = i == 0 ? "" : tokens.get(i - 1).text;
      for (String other : OTHERS.getOrDefault(token.text, List.of())) {
        all.add(new Change(token.from, token.to, other));
      }
      if ((token.text.equals("+") || token.text.equals("-")) && !BEFORE_OPERANDS.contains(before)) {
        all.add(new Change(token.from, token.to, token.text.equals("+") ? "-" : "+"));
      }
      if (token.text.matches("\\d+") && !isIndex(tokens, i)) {
        String more = Long.toString(Long.parseLong(token.text) + 1);
        all.add(new Change(token.from, token.to, more));
      }
      endOfCall(tokens, i, text).ifPresent(end -> all.add(new Change(token.from, end, "")));
    }
    return all;
  }

  private static boolean isIndex(List<Token> tokens, int i) {
    return tokens.get(i - 1).text.equals("[")
        && i + 1 < tokens.size()
        && tokens.get(i + 1).text.equals("]");
  }

  /** Where the call ends that is a statement and begins here; empty if none does. */
  private static Optional<Integer> endOfCall(List<Token> tokens, int first, String text) {
    Token token = tokens.get(first);
    if (!token.text.matches("[A-Za-z_]\\w*") || !isStatement(tokens, first, text)) {
      return Optional.empty();
    }
    int i = first + 1;
    while (i + 1 < tokens.size() && tokens.get(i).text.equals(".")) {
      i += 2;
    }
    if (i >= tokens.size() || !tokens.get(i).text.equals("(")) {
      return Optional.empty();
    }
    int open = 0;
    do {
      open += tokens.get(i).text.equals("(") ? 1 : tokens.get(i).text.equals(")") ? -1 : 0;
      i++;
    } while (open > 0);
    return Optional.of(tokens.get(i - 1).to);
  }

  private static boolean isStatement(List<Token> tokens, int i, String text) {
    if (i == 0) {
      return true;
    }
    Token before = tokens.get(i - 1);
    boolean beginsLine = text.substring(before.to, tokens.get(i).from).indexOf('\n') >= 0;
    return BEFORE_STATEMENTS.contains(before.text)
        || (beginsLine && !BEFORE_OPERANDS.contains(before.text));
  }

  /** As {@code survivors.txt} names it. */
  String id() {
    return file + ": " + shown;
  }

  @Override
  public String toString() {
    return id();
  }
}
