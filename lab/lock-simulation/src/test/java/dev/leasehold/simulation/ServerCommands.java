package dev.leasehold.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * The commands that scripts call, implemented as a real server does. A reply is a Long, a String, a
 * {@link Status}, a List of replies, or null. An unknown command fails the world: it must be added
 * here and to the comparison with real servers.
 */
final class ServerCommands {
  private static final int MICROS = 1_000_000;
  private final KeyTable keys;
  private final LongSupplier micros;

  ServerCommands(KeyTable keys, LongSupplier micros) {
    this.keys = keys;
    this.micros = micros;
  }

  private long now() {
    return micros.getAsLong() / 1000;
  }

  Object call(List<String> words) {
    String name = words.get(0).toUpperCase(Locale.ROOT);
    String key = words.size() > 1 ? words.get(1) : "";
    List<String> rest = words.size() > 2 ? words.subList(2, words.size()) : List.of();
    switch (name) {
      case "TIME":
        long t = micros.getAsLong();
        return List.of(Long.toString(t / MICROS), Long.toString(t % MICROS));
      case "GET":
        return keys.get(key, String.class);
      case "SET":
        return set(key, rest);
      case "SETNX":
        return set(key, List.of(rest.get(0), "NX")) == null ? 0L : 1L;
      case "STRLEN":
        return keys.has(key) ? keys.get(key, String.class).length() : 0L;
      case "INCR":
        return incr(key, 1);
      case "INCRBY":
        return incr(key, integer(rest.get(0)));
      case "DEL":
      case "UNLINK":
        return words.size() > 1
            ? words.subList(1, words.size()).stream().filter(keys::remove).count()
            : fail(new ReplyError("ERR wrong number of arguments for '" + words.get(0) + "'"));
      case "DELEX":
        return rest.size() == 2 && rest.get(0).equalsIgnoreCase("IFEQ")
            ? deleteIf(key, rest.get(1))
            : fail(ReplyError.syntax());
      case "DELIFEQ":
        return deleteIf(key, rest.get(0));
      case "EXISTS":
        return words.subList(1, words.size()).stream().filter(keys::has).count();
      case "TYPE":
        return new Status(keys.kind(key));
      case "PTTL":
        return keys.end(key) < 0 ? keys.end(key) : Math.max(0, keys.end(key) - now());
      case "PEXPIRETIME":
        return keys.end(key);
      case "PEXPIRE":
        return keys.endAt(key, now() + integer(rest.get(0))) ? 1L : 0L;
      case "PEXPIREAT":
        return keys.endAt(key, integer(rest.get(0))) ? 1L : 0L;
      case "PERSIST":
        return keys.end(key) >= 0 && keys.endAt(key, KeyTable.NEVER) ? 1L : 0L;
      case "KEYS":
        return keys.names();
      case "FLUSHALL":
        keys.clear();
        return Status.OK;
      default:
        return name.startsWith("Z")
            ? SortedSets.call(keys, name, key, rest)
            : name.startsWith("H")
                ? Hashes.call(keys, name, key, rest)
                : Lists.call(keys, name, key, rest);
    }
  }

  private static Object fail(ReplyError error) {
    throw error;
  }

  static Object unknown(String name) {
    throw new IllegalStateException(
        "the modelled server has no command " + name + ": add it, and to its differential test");
  }

  private Object set(String key, List<String> words) {
    long end = KeyTable.NEVER;
    boolean nx = false;
    boolean xx = false;
    boolean get = false;
    String equal = null;
    for (int i = 1; i < words.size(); i++) {
      switch (words.get(i).toUpperCase(Locale.ROOT)) {
        case "NX" -> nx = true;
        case "XX" -> xx = true;
        case "GET" -> get = true;
        case "PX" -> end = now() + positive(words.get(++i));
        case "EX" -> end = now() + 1000 * positive(words.get(++i));
        case "PXAT" -> end = positive(words.get(++i));
        case "KEEPTTL" -> end = Math.max(KeyTable.NEVER, keys.end(key));
        case "IFEQ" -> equal = words.get(++i);
        default -> throw ReplyError.syntax();
      }
    }
    if (nx && xx) {
      throw ReplyError.syntax();
    }
    String before = get || equal != null ? keys.get(key, String.class) : null;
    boolean allowed =
        equal != null ? equal.equals(before) : nx ? !keys.has(key) : !xx || keys.has(key);
    if (allowed) {
      keys.put(key, words.get(0), end);
      if (end != KeyTable.NEVER) {
        keys.endAt(key, end);
      }
    }
    return get ? before : allowed ? Status.OK : null;
  }

  private Object incr(String key, long by) {
    String text = keys.get(key, String.class);
    long sum = (text == null ? 0 : integer(text)) + by;
    keys.put(key, Long.toString(sum), Math.max(KeyTable.NEVER, keys.end(key)));
    return sum;
  }

  private Object deleteIf(String key, String value) {
    return value.equals(keys.get(key, String.class)) && keys.remove(key) ? 1L : 0L;
  }

  static long integer(String text) {
    try {
      if (text.startsWith("+") || text.equals("-0")) {
        throw new NumberFormatException(text);
      }
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new ReplyError("ERR value is not an integer or out of range");
    }
  }

  private static long positive(String text) {
    long number = integer(text);
    if (number <= 0) {
      throw new ReplyError("ERR invalid expire time in 'set' command");
    }
    return number;
  }

  static double real(String text) {
    try {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "inf", "+inf" -> Double.POSITIVE_INFINITY;
        case "-inf" -> Double.NEGATIVE_INFINITY;
        default -> Double.parseDouble(text);
      };
    } catch (NumberFormatException e) {
      throw new ReplyError("ERR value is not a valid float");
    }
  }

  /** A score as text: all digits of an integer, otherwise 17 significant ones. */
  static String written(double score) {
    if (Double.isInfinite(score)) {
      return score > 0 ? "inf" : "-inf";
    }
    return score == Math.rint(score) && Math.abs(score) < 1e17
        ? Long.toString((long) score)
        : Double.toString(score);
  }

  /** A part of a list by indexes; negative ones count from its end. */
  static <T> List<T> range(List<T> list, long from, long to) {
    long first = Math.max(0, from < 0 ? list.size() + from : from);
    long last = Math.min(list.size() - 1, to < 0 ? list.size() + to : to);
    return first > last ? List.of() : new ArrayList<>(list.subList((int) first, (int) last + 1));
  }
}
