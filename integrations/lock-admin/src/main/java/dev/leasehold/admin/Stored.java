package dev.leasehold.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What one server stores for one name, by kind. */
final class Stored {
  private Stored() {}

  /**
   * A lock.
   *
   * @param part which of its keys a scan finds first, see {@link Layout.Part}
   * @param holders the number of holds, including those not listed
   * @param waiting the number of waiters, including those not listed
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

    /** Returns whether it is held, reserved or an open latch, rather than only waited for. */
    boolean isInUse() {
      return holders > 0 || missing.isPresent();
    }

    /** Creates a lock without permits and count-downs. */
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
   * @param token the text that is compared: the value, or the token within a member or field; one
   *     character per byte
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

    /**
     * Creates a hold without permits. Only a lease has a fence.
     *
     * @param dated whether the fence tells when it was granted
     */
    static Hold of(
        String token,
        Side side,
        HoldState state,
        String holder,
        Optional<Duration> remaining,
        OptionalLong fence,
        boolean dated) {
      boolean granted = state == HoldState.HELD || state == HoldState.MAINTENANCE;
      OptionalLong number = granted ? fence : OptionalLong.empty();
      Optional<Instant> since = dated ? Reading.since(number) : Optional.empty();
      return new Hold(token, side, state, holder, remaining, number, since, 1, false);
    }

    private static final Pattern TIMED = Pattern.compile("\\d{1,16}:([^:]*:[^:]*)");

    /**
     * Returns the part of a value that identifies the hold: without the leading time that a renewal
     * changes.
     */
    static String identity(String token) {
      Matcher timed = TIMED.matcher(token);
      return timed.matches() ? timed.group(1) : token;
    }

    String identity() {
      return identity(token);
    }

    /** Returns the same hold with another text to compare. */
    Hold comparedBy(String value) {
      return new Hold(value, side, state, holder, remaining, fence, since, permits, isSlot);
    }

    /** Returns the same hold with permits of a semaphore; on a node of a quorum, slots. */
    Hold with(int count, boolean slots) {
      return new Hold(token, side, state, holder, remaining, fence, since, count, slots);
    }
  }

  /**
   * A waiter.
   *
   * @param id the same on all nodes
   * @param score its position in the queue
   */
  record Waiter(
      String id, double score, String holder, Side side, int permits, Optional<Duration> waiting) {}
}
