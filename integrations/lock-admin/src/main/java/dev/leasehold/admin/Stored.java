package dev.leasehold.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What one server has of one name, by kind. */
final class Stored {
  private Stored() {}

  /**
   * A lock.
   *
   * @param part the first of the keys by which a scan finds it, see {@link Layout.Part}
   * @param holders how many there are, also beyond those listed
   * @param waiting likewise
   */
  record Lock(
      KindOfLock kind,
      int part,
      List<Hold> holds,
      long holders,
      List<Waiter> waiters,
      long waiting,
      OptionalInt permits,
      OptionalLong missing,
      Optional<Duration> ends) {

    /** Whether it is held, reserved, or an open latch; not merely waited for. */
    boolean isInUse() {
      return holders > 0 || missing.isPresent();
    }

    /** A lock without permits and count-downs. */
    Lock(
        KindOfLock kind,
        int part,
        List<Hold> holds,
        long holders,
        List<Waiter> waiters,
        long waiting) {
      this(
          kind,
          part,
          holds,
          holders,
          waiters,
          waiting,
          OptionalInt.empty(),
          OptionalLong.empty(),
          Optional.empty());
    }
  }

  /**
   * A hold.
   *
   * @param token what is compared: the value, or the part of a member or field that is the token;
   *     each byte a character
   */
  record Hold(
      String token,
      Side side,
      HoldState state,
      String holder,
      Optional<Duration> remaining,
      OptionalLong fence,
      Optional<Instant> since,
      int permits,
      boolean isSlot) {

    private static final Pattern TIMED = Pattern.compile("\\d{1,16}:([^:]*:[^:]*)");

    /** What identifies the hold, of a value that may begin with a time that renewals change. */
    static String identity(String token) {
      Matcher timed = TIMED.matcher(token);
      return timed.matches() ? timed.group(1) : token;
    }

    String identity() {
      return identity(token);
    }

    /** The same with another text to compare. */
    Hold comparedBy(String value) {
      return new Hold(value, side, state, holder, remaining, fence, since, permits, isSlot);
    }

    /** The same with permits of a semaphore; on a node of a quorum, slots. */
    Hold with(int count, boolean slots) {
      return new Hold(token, side, state, holder, remaining, fence, since, count, slots);
    }
  }

  /**
   * A waiter.
   *
   * @param id the same on all nodes
   * @param score its place, in order
   */
  record Waiter(
      String id, double score, String holder, Side side, int permits, Optional<Duration> waiting) {}
}
