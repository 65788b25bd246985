package dev.leasehold.simulation;

import dev.leasehold.simulation.KeyTable.Line;
import java.util.List;

/** The commands of lists. */
final class Lists {
  private Lists() {}

  static Object call(KeyTable keys, String name, String key, List<String> rest) {
    if (!List.of("LINDEX", "LLEN", "LPOP", "LRANGE", "LREM", "RPUSH", "LPUSH", "LPOS")
        .contains(name)) {
      return ServerCommands.unknown(name);
    }
    Line known = keys.get(key, Line.class);
    Line list = known == null ? new Line() : known;
    Object reply =
        switch (name) {
          case "LINDEX" -> {
            long at = ServerCommands.integer(rest.get(0));
            List<String> one = ServerCommands.range(list, at, at);
            yield one.isEmpty() || (at < 0 && -at > list.size()) ? null : one.get(0);
          }
          case "LLEN" -> (long) list.size();
          case "LPOP" -> list.isEmpty() ? null : list.remove(0);
          case "LRANGE" ->
              ServerCommands.range(
                  list, ServerCommands.integer(rest.get(0)), ServerCommands.integer(rest.get(1)));
          case "LREM" -> remove(list, ServerCommands.integer(rest.get(0)), rest.get(1));
          case "LPOS" -> list.contains(rest.get(0)) ? (long) list.indexOf(rest.get(0)) : null;
          case "RPUSH" -> {
            Line made = keys.make(key, Line.class, Line::new);
            made.addAll(rest);
            yield (long) made.size();
          }
          default -> {
            Line made = keys.make(key, Line.class, Line::new);
            rest.forEach(value -> made.add(0, value));
            yield (long) made.size();
          }
        };
    keys.prune(key);
    return reply;
  }

  private static Object remove(Line list, long count, String value) {
    long most = count == 0 ? Long.MAX_VALUE : Math.abs(count);
    long gone = 0;
    for (int i = count < 0 ? list.size() - 1 : 0; i >= 0 && i < list.size() && gone < most; ) {
      boolean same = list.get(i).equals(value);
      if (same) {
        list.remove(i);
        gone++;
      }
      i += count < 0 ? -1 : same ? 0 : 1;
    }
    return gone;
  }
}
