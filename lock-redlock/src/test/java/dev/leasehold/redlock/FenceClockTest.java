package dev.leasehold.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The guess of the next fence")
class FenceClockTest {
  private static final long SECOND = 1_000_000_000L;

  private final FenceClock clock = new FenceClock();

  @Test
  @DisplayName("nothing at first, then the largest vote and the time since, however long")
  void grows() {
    assertEquals(0, clock.propose(5));
    clock.seen(1_000_000, 0, 0);
    assertEquals(1_000_000, clock.propose(0));
    assertEquals(3_601_000_000L, clock.propose(3600 * SECOND));
    clock.seen(2_000_000, 1_000_500, SECOND / 2);
    assertEquals(2_500_000, clock.propose(SECOND));
  }

  @Test
  @DisplayName("an older vote does not set it back")
  void older() {
    clock.seen(5_000_000, 0, 2 * SECOND);
    clock.seen(3_000_000, 0, SECOND);
    assertEquals(5_000_000, clock.propose(2 * SECOND));
  }

  /** A node as acquire.lua has it, with its clock in microseconds. */
  private static long vote(long last, long proposal, long micros) {
    return Math.max(Math.max(last + 1, micros), Math.min(proposal, micros + 1_000_000));
  }

  @Test
  @DisplayName("a clock that is fast leads the fences by a second at most, and asks for few rounds")
  void fastClock() {
    long last = 0;
    long twoRounds = 0;
    long most = 0;
    int grants = 200_000;
    for (long i = 1; i <= grants; i++) {
      long micros = i * 10_000; // one grant in 10 ms, on nodes half a millisecond apart
      long nanos = micros * 1000 / 100 * 101; // one per cent fast
      long proposal = clock.propose(nanos);
      long one = vote(last, proposal, micros);
      long two = vote(last, proposal, micros - 500);
      twoRounds += one == two ? 0 : 1;
      long token = Math.max(one, two);
      assertTrue(token > last);
      clock.seen(token, proposal, nanos);
      last = token;
      most = Math.max(most, token - micros);
    }
    assertTrue(most <= 1_000_000, "ahead by " + most);
    assertTrue(twoRounds < grants / 50, "two rounds for " + twoRounds + " of " + grants);
  }
}
