package dev.leasehold.simulation;

import dev.leasehold.simulation.KeyTable.Fields;
import java.util.ArrayList;
import java.util.List;

/** The commands of hashes. */
final class Hashes {
  private Hashes() {}

  static Object call(KeyTable keys, String name, String key, List<String> rest) {
    Fields known = keys.get(key, Fields.class);
    Fields hash = known == null ? new Fields() : known;
    Object reply =
        switch (name) {
          case "HGET" -> hash.get(rest.get(0));
          case "HMGET" -> {
            List<Object> values = new ArrayList<>();
            rest.forEach(field -> values.add(hash.get(field)));
            yield values;
          }
          case "HSET" -> set(keys.make(key, Fields.class, Fields::new), rest);
          case "HSETNX" ->
              keys.make(key, Fields.class, Fields::new).putIfAbsent(rest.get(0), rest.get(1))
                      == null
                  ? 1L
                  : 0L;
          case "HEXISTS" -> hash.containsKey(rest.get(0)) ? 1L : 0L;
          case "HDEL" -> rest.stream().filter(field -> hash.remove(field) != null).count();
          case "HLEN" -> (long) hash.size();
          case "HKEYS" -> List.copyOf(hash.keySet());
          case "HVALS" -> List.copyOf(hash.values());
          case "HGETALL" -> {
            List<Object> all = new ArrayList<>();
            hash.forEach(
                (field, value) -> {
                  all.add(field);
                  all.add(value);
                });
            yield all;
          }
          case "HINCRBY" -> {
            Fields made = keys.make(key, Fields.class, Fields::new);
            long sum =
                ServerCommands.integer(made.getOrDefault(rest.get(0), "0"))
                    + ServerCommands.integer(rest.get(1));
            made.put(rest.get(0), Long.toString(sum));
            yield sum;
          }
          default -> ServerCommands.unknown(name);
        };
    keys.prune(key);
    return reply;
  }

  private static Object set(Fields hash, List<String> words) {
    long added = 0;
    for (int i = 0; i + 1 < words.size(); i += 2) {
      added += hash.put(words.get(i), words.get(i + 1)) == null ? 1 : 0;
    }
    return added;
  }
}
