package dev.leasehold.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The keys of a server, with values of four types and optional expiry times. */
final class KeyTable {
  static final long NEVER = -1;
  private static final double ADAPTER_APART = 1000;

  /** How long before its key expires a latch is over but still remembered. */
  private static final double LATCH_REMEMBERED = 150_000;

  /** The longest leases of the quorums' clients. */
  private static final List<Integer> LONGEST_LEASES = List.of(1, 2000, 30_000, 30_001);

  /** The minimum interval of a marker's updates, in ms. */
  private static final double WRITTEN_EACH = 1000;

  private final Map<String, Entry> all = new HashMap<>();
  private final LongSupplier millis;

  /** A sorted set. */
  static final class Sorted extends TreeMap<String, Double> {
    private static final long serialVersionUID = 1;

    /** Ordered by score, then alphabetically. */
    List<String> inOrder() {
      return entrySet().stream()
          .sorted(Map.Entry.comparingByValue())
          .map(Map.Entry::getKey)
          .toList();
    }

    /** How many members come before this one. */
    long rank(String member) {
      double at = get(member);
      return headMap(member).values().stream().filter(score -> score <= at).count()
          + tailMap(member, false).values().stream().filter(score -> score < at).count();
    }
  }

  /** A list. */
  static final class Line extends ArrayList<String> {
    private static final long serialVersionUID = 1;
  }

  /** A hash, in insertion order. */
  static final class Fields extends LinkedHashMap<String, String> {
    private static final long serialVersionUID = 1;
  }

  private record Entry(Object value, long endMillis) {}

  KeyTable(LongSupplier millis) {
    this.millis = millis;
  }

  private Entry live(String key) {
    Entry entry = all.get(key);
    if (entry != null && entry.endMillis != NEVER && millis.getAsLong() > entry.endMillis) {
      all.remove(key);
      return null;
    }
    return entry;
  }

  boolean has(String key) {
    return live(key) != null;
  }

  /** The value of a type; null if there is none. */
  <T> T get(String key, Class<T> kind) {
    Entry entry = live(key);
    if (entry == null) {
      return null;
    }
    if (!kind.isInstance(entry.value)) {
      throw ReplyError.wrongType();
    }
    return kind.cast(entry.value);
  }

  /** The value of a type, created if missing. */
  <T> T make(String key, Class<T> kind, Supplier<T> empty) {
    T known = get(key, kind);
    if (known != null) {
      return known;
    }
    T made = empty.get();
    all.put(key, new Entry(made, NEVER));
    return made;
  }

  void put(String key, String value, long endMillis) {
    all.put(key, new Entry(value, endMillis));
  }

  /** Removes empty values, as Redis does. */
  void prune(String key) {
    Entry entry = all.get(key);
    if (entry != null
        && (entry.value instanceof Map<?, ?> map && map.isEmpty()
            || entry.value instanceof List<?> list && list.isEmpty())) {
      all.remove(key);
    }
  }

  boolean remove(String key) {
    return live(key) != null && all.remove(key) != null;
  }

  /** Its expiry, in ms since 1970; {@link #NEVER}, or -2 if the key does not exist. */
  long end(String key) {
    Entry entry = live(key);
    return entry == null ? -2 : entry.endMillis;
  }

  boolean endAt(String key, long endMillis) {
    Entry entry = live(key);
    if (entry == null) {
      return false;
    }
    if (endMillis != NEVER && endMillis <= millis.getAsLong()) {
      all.remove(key);
    } else {
      all.put(key, new Entry(entry.value, endMillis));
    }
    return true;
  }

  String kind(String key) {
    Entry entry = live(key);
    if (entry == null) {
      return "none";
    }
    return entry.value instanceof String
        ? "string"
        : entry.value instanceof Fields ? "hash" : entry.value instanceof Sorted ? "zset" : "list";
  }

  List<String> names() {
    // Reading an expired key removes it.
    return List.copyOf(all.keySet()).stream().filter(this::has).sorted().toList();
  }

  void clear() {
    all.clear();
  }

  /**
   * The times of a quorum node's marker: when it votes, and until when it remembers its clients.
   */
  private static void marker(Fields hash, List<Double> found) {
    double since = Double.parseDouble(hash.get("since"));
    found.add(since + Double.parseDouble(hash.getOrDefault("longest", "0")));
    LONGEST_LEASES.forEach(longest -> found.add(since + longest));
    for (String voter : hash.getOrDefault("voters", "").split("\n")) {
      String[] words = voter.split(" ");
      if (words.length > 1) {
        double ends = Double.parseDouble(words[1]);
        found.add(ends);
        found.add(ends - Double.parseDouble(words[0]));
        found.add(ends - Double.parseDouble(words[0]) - WRITTEN_EACH);
      }
    }
  }

  /** Times, in ms since 1970, at which data expires or changes its meaning. */
  List<Double> boundaries() {
    List<Double> found = new ArrayList<>();
    for (Entry entry : all.values()) {
      found.add((double) entry.endMillis);
      if (entry.value instanceof Sorted set) {
        for (double score : set.values()) {
          found.add(score);
          // For holds of permits in the adapter's format, and plain ones of Redisson.
          found.add(score - ADAPTER_APART);
          found.add(score + ADAPTER_APART);
        }
      } else if (entry.value instanceof Fields hash && hash.containsKey("round")) {
        found.add(entry.endMillis - LATCH_REMEMBERED);
      } else if (entry.value instanceof Fields hash && hash.containsKey("since")) {
        marker(hash, found);
      }
    }
    return found;
  }
}
