package dev.leasehold.redis.set;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.leasehold.redis.common.Publishing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks a server's state before and after each command. FA-2: a lock is only granted to, or
 * reserved for, a waiter that precedes all other subscribed waiters in the line; a waiter that asks
 * again keeps its place even if it is not in the line. Waiters of a store that missed a turn are
 * not waited for. FA-3: a lock is reserved for at most a second. Not thread-safe.
 */
public final class FairCheck {
  /** The minimum number of arguments of an ordered request. */
  private static final int IN_ORDER = 15;

  /** '1' for a repeated request; followed by the number of waiters that left, and their tokens. */
  private static final int AGAIN = 13;

  private static final long LONGEST_TURN_MILLIS = 1000;

  private final ScriptServer server;
  private final Consumer<String> fail;

  /** A waiter in the line, or the one that is asking. */
  private record Waiter(String store, String token, double place) {
    static Waiter of(String word, double place) {
      String[] parts = word.split(":", 2);
      return new Waiter(parts[0], parts[1], place);
    }

    /** Its place then has a fraction. */
    boolean hadItsTurn() {
      return place % 1 != 0 && place < Double.POSITIVE_INFINITY;
    }

    String word() {
      return store + ":" + token;
    }
  }

  private FairCheck(ScriptServer server, Consumer<String> fail) {
    this.server = server;
    this.fail = fail;
  }

  /** Checks all locks of a server from now on. */
  public static void of(ScriptServer server, Consumer<String> fail) {
    server.around(new FairCheck(server, fail)::look);
  }

  private Object look(List<String> words, Supplier<Object> step) {
    String lock = words.get(0).startsWith("EVAL") && words.size() > 3 ? words.get(3) : "";
    if (!lock.endsWith("}")) {
      return step.get();
    }
    String before = get(lock);
    List<Waiter> line = line(lock);
    Object reply = step.get();
    String now = get(lock);
    if (now != null && !now.startsWith("-") && !now.equals(before)) {
      Optional<Waiter> asks = asks(words);
      // A vote in a quorum waits under another token than it holds the lock by.
      boolean isGranted = asks.isPresent() && now.equals(words.get(firstArgument(words)));
      String token = isGranted ? asks.get().token : bare(now);
      if (!token.equals(bare(before))) {
        line.removeIf(each -> isNamedAsLeft(words, each));
        asks.ifPresentOrElse(line::add, () -> line.removeIf(each -> words.contains(each.word())));
        judge(token, line, slow(line, asks));
      }
      if (now.startsWith("+") && (Long) server.byHand("PTTL", lock) > LONGEST_TURN_MILLIS) {
        fail.accept("FA-3: " + server + " keeps " + lock + " for too long");
      }
    }
    return reply;
  }

  /** Stores that missed a turn and are not asking: their waiters are not waited for. */
  private static Set<String> slow(List<Waiter> line, Optional<Waiter> asks) {
    return line.stream()
        .filter(Waiter::hadItsTurn)
        .map(Waiter::store)
        .filter(store -> asks.isEmpty() || !asks.get().store.equals(store))
        .collect(Collectors.toSet());
  }

  private void judge(String token, List<Waiter> all, Set<String> slow) {
    List<Waiter> its = all.stream().filter(each -> each.token.equals(token)).toList();
    if (its.isEmpty()) {
      fail.accept("FA-2: " + token + " neither asks nor waits");
    }
    double place = its.stream().mapToDouble(Waiter::place).min().orElse(0);
    for (Waiter each : all) {
      if (each.place < place
          && !each.hadItsTurn()
          && !slow.contains(each.store)
          && listens(each.store)) {
        fail.accept("FA-2: " + server + " passes by " + each + " for " + token + " at " + place);
      }
    }
  }

  private boolean listens(String store) {
    return server.model().isHeard(new String(Publishing.channelOf(store), US_ASCII));
  }

  private @Nullable String get(String key) {
    return (String) server.byHand("GET", key);
  }

  /** The holder of a lock, or the waiter it is reserved for. */
  private static String bare(@Nullable String holder) {
    return holder == null ? "" : holder.startsWith("+") ? holder.substring(1) : holder;
  }

  private List<Waiter> line(String lock) {
    List<?> words = (List<?>) server.byHand("ZRANGE", lock + ":wait", "0", "-1", "WITHSCORES");
    List<Waiter> line = new ArrayList<>();
    for (int i = 0; i < words.size(); i += 2) {
      line.add(Waiter.of((String) words.get(i), Double.parseDouble((String) words.get(i + 1))));
    }
    return line;
  }

  private static int firstArgument(List<String> words) {
    return words.get(0).startsWith("EVAL") ? 3 + Integer.parseInt(words.get(2)) : words.size();
  }

  /** The asking waiter, if any; on its first request it is behind all others. */
  private Optional<Waiter> asks(List<String> words) {
    List<String> arguments = words.subList(firstArgument(words), words.size());
    if (arguments.size() < IN_ORDER) {
      return Optional.empty();
    }
    double waited = Double.parseDouble(arguments.get(6));
    double proposed = Double.parseDouble(arguments.get(7));
    double place = (proposed > 0 ? proposed : server.node().wallMicros()) - waited;
    boolean again = arguments.get(AGAIN).equals("1");
    return Optional.of(Waiter.of(arguments.get(4), again ? place : Double.POSITIVE_INFINITY));
  }

  private static boolean isNamedAsLeft(List<String> words, Waiter waiter) {
    int first = firstArgument(words) + IN_ORDER;
    return words.size() > first && words.subList(first, words.size()).contains(waiter.word());
  }
}
