package dev.leasehold.admin;

import static dev.leasehold.admin.Reading.at;
import static dev.leasehold.admin.Reading.list;
import static dev.leasehold.admin.Reading.number;
import static dev.leasehold.admin.Reading.text;

import dev.leasehold.redis.common.NativeDeletes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses the reply of look.lua, which documents the format. */
final class FencedReply {
  private static final long MICROS_PER_MILLI = 1000;

  /** How long a latch's key outlives the latch, in ms; see latch.lua. */
  private static final long LATCH_REMEMBERED = 150_000;

  private static final Pattern FAIR = Pattern.compile("^[^:]*\\.f:");

  private final long now;

  private FencedReply(long now) {
    this.now = now;
  }

  static List<Stored.Lock> locks(List<?> reply, FencedLayout.Values values) {
    FencedReply at = new FencedReply(number(at(reply, 0)));
    List<Stored.Lock> locks = new ArrayList<>();
    if (values == FencedLayout.Values.TIMES) {
      at.timed(list(at(reply, 1))).ifPresent(locks::add);
      return locks;
    }
    at.lock(list(at(reply, 1))).ifPresent(locks::add);
    at.readWrite(list(at(reply, 2))).ifPresent(locks::add);
    at.permits(list(at(reply, 3)), FencedLayout.PERMITS, Map.of()).ifPresent(locks::add);
    List<?> slots = list(at(reply, 4));
    at.permits(slots, FencedLayout.SLOTS, fences(list(at(slots, 3)))).ifPresent(locks::add);
    at.latch(list(at(reply, 5))).ifPresent(locks::add);
    return locks;
  }

  /** Returns whether the lock's key has a value that does not begin with a time. */
  static boolean isUntimed(List<?> reply) {
    return text(at(list(at(reply, 1)), 0))
        .filter(value -> Stored.Hold.identity(value).equals(value))
        .isPresent();
  }

  private Optional<Stored.Lock> lock(List<?> reply) {
    Optional<String> value = text(at(reply, 0)).map(NativeDeletes::unmarked);
    List<Stored.Waiter> waiters = waiters(list(at(reply, 3)), Side.ALL);
    long waiting = waiting(reply, 3);
    if (value.isEmpty() && waiting == 0) {
      return Optional.empty();
    }
    List<Stored.Hold> holds =
        value
            .map(token -> hold(token, Side.ALL, at(reply, 1), Reading.fence(at(reply, 2)), true))
            .map(List::of)
            .orElse(List.of());
    boolean fair = isFair(list(at(reply, 3)));
    return Optional.of(
        new Stored.Lock(
            fair ? KindOfLock.FAIR_LOCK : KindOfLock.LOCK,
            FencedLayout.LOCK,
            holds,
            holds.size(),
            waiters,
            waiting));
  }

  /**
   * Parses a lock whose value is {@code end:label:secret}, with the end in milliseconds since 1970.
   */
  private Optional<Stored.Lock> timed(List<?> reply) {
    String value = text(at(reply, 0)).orElse("");
    String token = Stored.Hold.identity(value);
    if (token.equals(value)) {
      return Optional.empty();
    }
    long left =
        left((double) Long.parseLong(value.substring(0, value.length() - token.length() - 1)));
    if (left == 0) {
      return Optional.empty(); // over, and free to be taken
    }
    Stored.Hold hold =
        hold(token, Side.ALL, left, Reading.fence(at(reply, 2)), true).comparedBy(value);
    return Optional.of(
        new Stored.Lock(KindOfLock.LOCK, FencedLayout.LOCK, List.of(hold), 1, List.of(), 0));
  }

  private Optional<Stored.Lock> readWrite(List<?> reply) {
    Optional<String> writer = text(at(reply, 0));
    List<?> fences = list(at(reply, 2));
    List<?> readers = list(at(reply, 3));
    long waiting = waiting(reply, 4);
    if (writer.isEmpty() && number(at(readers, 0)) == 0 && waiting == 0) {
      return Optional.empty();
    }
    List<Stored.Hold> holds = new ArrayList<>();
    writer.ifPresent(
        token ->
            holds.add(hold(token, Side.WRITE, at(reply, 1), Reading.fence(at(fences, 1)), true)));
    OptionalLong fence = Reading.fence(at(fences, 0));
    members(list(at(readers, 1)))
        .forEach((token, end) -> holds.add(hold(token, Side.READ, left(end), fence, false)));
    return Optional.of(
        new Stored.Lock(
            KindOfLock.READ_WRITE_LOCK,
            number(at(readers, 0)) > 0 ? FencedLayout.READERS : FencedLayout.WRITER,
            holds,
            number(at(readers, 0)) + (writer.isPresent() ? 1 : 0),
            waiters(list(at(reply, 4)), Side.READ),
            waiting));
  }

  private Optional<Stored.Lock> permits(List<?> reply, int part, Map<String, OptionalLong> fences) {
    OptionalInt number = Reading.count(at(reply, 0));
    List<?> holders = list(at(reply, 1));
    long waiting = waiting(reply, 2);
    if (number.isEmpty() && number(at(holders, 0)) == 0 && waiting == 0) {
      return Optional.empty();
    }
    List<Stored.Hold> holds = new ArrayList<>();
    Map<String, Integer> counts = new HashMap<>();
    List<?> members = list(at(holders, 1));
    for (int i = 0; i + 1 < members.size(); i += 2) {
      counts.merge(token(text(members.get(i)).orElse("")), 1, Integer::sum);
    }
    members(members)
        .forEach(
            (token, end) -> {
              OptionalLong fence = fences.getOrDefault(token, OptionalLong.empty());
              Stored.Hold hold = hold(token, Side.PERMITS, left(end), fence, true);
              holds.add(hold.with(counts.getOrDefault(token, 1), part == FencedLayout.SLOTS));
            });
    return Optional.of(
        new Stored.Lock(
            KindOfLock.SEMAPHORE,
            part,
            holds,
            number(at(holders, 0)),
            waiters(list(at(reply, 2)), Side.PERMITS),
            waiting,
            number,
            OptionalLong.empty(),
            Optional.empty()));
  }

  private Optional<Stored.Lock> latch(List<?> reply) {
    OptionalInt missing = Reading.count(at(reply, 0));
    long left = number(at(reply, 1)) - LATCH_REMEMBERED;
    long waiting = waiting(reply, 2);
    if ((missing.isEmpty() || left <= 0) && waiting == 0) {
      return Optional.empty();
    }
    return Optional.of(
        new Stored.Lock(
            KindOfLock.LATCH,
            FencedLayout.LATCH,
            List.of(),
            0,
            waiters(list(at(reply, 2)), Side.ALL),
            waiting,
            OptionalInt.empty(),
            missing.isPresent() && left > 0
                ? OptionalLong.of(missing.getAsInt())
                : OptionalLong.empty(),
            missing.isPresent() && left > 0
                ? Optional.of(Duration.ofMillis(left))
                : Optional.empty()));
  }

  private static Stored.Hold hold(
      String token, Side side, @Nullable Object pttl, OptionalLong fence, boolean dated) {
    return Stored.Hold.of(
        token,
        side,
        ShownTokens.state(token),
        ShownTokens.shown(token),
        Reading.remaining(pttl),
        fence,
        dated);
  }

  /** Returns the milliseconds until an end, by the server's clock. */
  private Long left(double end) {
    return Math.max(0, (long) end - now / MICROS_PER_MILLI);
  }

  /** Returns the tokens of members, with '+' before a reservation, and the latest end of each. */
  private static Map<String, Double> members(List<?> members) {
    Map<String, Double> ends = new LinkedHashMap<>();
    for (int i = 0; i + 1 < members.size(); i += 2) {
      String token = token(text(members.get(i)).orElse(""));
      ends.merge(token, Reading.score(members.get(i + 1)), Math::max);
    }
    return ends;
  }

  /** Returns the token of a member {@code i:token} or {@code +i:token}. */
  private static String token(String member) {
    String token = member.substring(member.indexOf(':') + 1);
    return member.startsWith("+") ? "+" + token : token;
  }

  private static Map<String, OptionalLong> fences(List<?> of) {
    Map<String, OptionalLong> fences = new HashMap<>();
    for (int i = 0; i + 2 < of.size(); i += 3) {
      fences.put(text(of.get(i)).orElse(""), Reading.fence(of.get(i + 2)));
    }
    return fences;
  }

  private static long waiting(List<?> reply, int line) {
    return number(at(list(at(reply, line)), 0));
  }

  /**
   * Returns whether the queue contains fair waiters, which are recognized by their store's suffix.
   */
  private static boolean isFair(List<?> line) {
    return list(at(line, 1)).stream()
        .anyMatch(member -> text(member).filter(id -> FAIR.matcher(id).find()).isPresent());
  }

  /**
   * Parses the waiters of a queue: {@code store:token}, preceded by a mode if the lock may have
   * several holders.
   */
  private List<Stored.Waiter> waiters(List<?> line, Side side) {
    List<Stored.Waiter> waiters = new ArrayList<>();
    List<?> members = list(at(line, 1));
    for (int i = 0; i + 1 < members.size(); i += 2) {
      String id = text(members.get(i)).orElse("");
      // A store has another id on each node of a quorum, but a waiter the same token.
      String token = id.substring(id.indexOf(':') + 1);
      double place = Reading.score(members.get(i + 1));
      String mode = side == Side.ALL ? "" : id.substring(0, Math.max(0, id.indexOf(' ')));
      // A latch's waiters are in the order of their latest requests, in milliseconds.
      boolean arrival = place > now / 2.0;
      waiters.add(
          new Stored.Waiter(
              mode + ' ' + token,
              place,
              ShownTokens.shown(token),
              side == Side.READ && mode.equals("w") ? Side.WRITE : side,
              mode.matches("\\d{1,7}") ? Integer.parseInt(mode) : 1,
              arrival
                  ? Optional.of(Duration.ofNanos(Math.max(0, now - (long) place) * 1000))
                  : Optional.empty()));
    }
    return waiters;
  }
}
