package dev.leasehold.simulation;

import dev.leasehold.simulation.KeyTable.Sorted;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The commands of sorted sets. */
final class SortedSets {
  private SortedSets() {}

  static Object call(KeyTable keys, String name, String key, List<String> rest) {
    Sorted known = keys.get(key, Sorted.class);
    Sorted set = known == null ? new Sorted() : known;
    Object reply =
        switch (name) {
          case "ZADD" -> add(keys.make(key, Sorted.class, Sorted::new), rest);
          case "ZREM" -> rest.stream().filter(m -> set.remove(m) != null).count();
          case "ZCARD" -> (long) set.size();
          case "ZSCORE" ->
              set.containsKey(rest.get(0)) ? ServerCommands.written(set.get(rest.get(0))) : null;
          case "ZRANK" -> set.containsKey(rest.get(0)) ? set.rank(rest.get(0)) : null;
          case "ZINCRBY" -> {
            Sorted made = keys.make(key, Sorted.class, Sorted::new);
            double sum = made.getOrDefault(rest.get(1), 0.0) + ServerCommands.real(rest.get(0));
            made.put(rest.get(1), sum);
            yield ServerCommands.written(sum);
          }
          case "ZPOPMIN" ->
              pop(
                  set,
                  rest.isEmpty() ? 1 : (int) Math.min(1000, ServerCommands.integer(rest.get(0))));
          case "ZRANGE" -> {
            List<String> part =
                ServerCommands.range(
                    set.inOrder(),
                    ServerCommands.integer(rest.get(0)),
                    ServerCommands.integer(rest.get(1)));
            yield listed(set, part, rest.size() > 2);
          }
          case "ZRANGEBYSCORE" -> byScore(set, rest);
          case "ZCOUNT" -> (long) within(set, rest.get(0), rest.get(1)).size();
          case "ZREMRANGEBYSCORE" -> {
            List<String> gone = within(set, rest.get(0), rest.get(1));
            gone.forEach(set::remove);
            yield (long) gone.size();
          }
          case "ZREMRANGEBYRANK" -> {
            List<String> gone =
                ServerCommands.range(
                    set.inOrder(),
                    ServerCommands.integer(rest.get(0)),
                    ServerCommands.integer(rest.get(1)));
            gone.forEach(set::remove);
            yield (long) gone.size();
          }
          default -> ServerCommands.unknown(name);
        };
    keys.prune(key);
    return reply;
  }

  private static Object add(Sorted set, List<String> words) {
    boolean nx = false;
    boolean xx = false;
    boolean gt = false;
    boolean lt = false;
    boolean ch = false;
    int i = 0;
    for (; i < words.size(); i++) {
      String word = words.get(i).toUpperCase(Locale.ROOT);
      if (word.equals("NX")) {
        nx = true;
      } else if (word.equals("XX")) {
        xx = true;
      } else if (word.equals("GT")) {
        gt = true;
      } else if (word.equals("LT")) {
        lt = true;
      } else if (word.equals("CH")) {
        ch = true;
      } else {
        break;
      }
    }
    long added = 0;
    long changed = 0;
    for (; i + 1 < words.size(); i += 2) {
      double score = ServerCommands.real(words.get(i));
      Double before = set.get(words.get(i + 1));
      if (before == null ? xx : nx || (gt && score <= before) || (lt && score >= before)) {
        continue;
      }
      set.put(words.get(i + 1), score);
      added += before == null ? 1 : 0;
      changed += before != null && before != score ? 1 : 0;
    }
    return ch ? added + changed : added;
  }

  private static Object pop(Sorted set, int count) {
    List<String> first = ServerCommands.range(set.inOrder(), 0, count - 1L);
    Object reply = count == 0 ? List.of() : listed(set, first, true);
    if (count > 0) {
      first.forEach(set::remove);
    }
    return reply;
  }

  private static List<Object> listed(Sorted set, List<String> members, boolean withScores) {
    List<Object> reply = new ArrayList<>();
    for (String member : members) {
      reply.add(member);
      if (withScores) {
        reply.add(ServerCommands.written(set.get(member)));
      }
    }
    return reply;
  }

  private static List<Object> byScore(Sorted set, List<String> words) {
    List<String> members = within(set, words.get(0), words.get(1));
    boolean scores = false;
    for (int i = 2; i < words.size(); i++) {
      if (words.get(i).equalsIgnoreCase("LIMIT")) {
        long from = ServerCommands.integer(words.get(i + 1));
        long count = ServerCommands.integer(words.get(i + 2));
        members = members.stream().skip(from).limit(count < 0 ? members.size() : count).toList();
        i += 2;
      } else {
        scores = true;
      }
    }
    return listed(set, members, scores);
  }

  private static List<String> within(Sorted set, String from, String to) {
    return set.inOrder().stream()
        .filter(m -> isAbove(set.get(m), from) && isAbove(-set.get(m), negated(to)))
        .toList();
  }

  private static boolean isAbove(double score, String bound) {
    return bound.startsWith("(")
        ? score > ServerCommands.real(bound.substring(1))
        : score >= ServerCommands.real(bound);
  }

  private static String negated(String bound) {
    String open = bound.startsWith("(") ? "(" : "";
    return open + ServerCommands.written(-ServerCommands.real(bound.substring(open.length())));
  }
}
