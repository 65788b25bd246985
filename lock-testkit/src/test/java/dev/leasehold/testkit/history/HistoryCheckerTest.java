package dev.leasehold.testkit.history;

import static dev.leasehold.testkit.history.Violation.Kind.EFFECT_AFTER_DEADLINE;
import static dev.leasehold.testkit.history.Violation.Kind.OVERLAP;
import static dev.leasehold.testkit.history.Violation.Kind.SPURIOUS_REFUSAL;
import static dev.leasehold.testkit.history.Violation.Kind.STALE_WRITE_ACCEPTED;
import static dev.leasehold.testkit.history.Violation.Kind.TOKEN_NOT_INCREASING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.leasehold.testkit.history.Event.Kind;
import dev.leasehold.testkit.history.Event.Phase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class HistoryCheckerTest {
  private static final FaultModel STAYS_100 =
      FaultModel.inside().staysAtMost(Duration.ofNanos(100));

  private static Story story() {
    return new Story();
  }

  @Nested
  class Overlaps {
    @Test
    void oneAfterTheOtherIsRight() {
      Story story =
          story()
              .acquires("p/a", 0, 10, 1, 100)
              .releases("p/a", 20, 30)
              .acquires("q/b", 5, 20, 2, 120)
              .releases("q/b", 50, 60);
      assertEquals(List.of(), story.finds());
      assertEquals(2, story.check().holds());
    }

    @Test
    void twoAtOneTimeAreNot() {
      Story story =
          story()
              .acquires("p/a", 0, 10, 1, 100)
              .releases("p/a", 21, 30)
              .acquires("q/b", 5, 20, 2, 120);
      assertEquals(List.of(OVERLAP), story.finds());
      assertTrue(story.check().toString().contains("p/a  release invoke"), story.check()::toString);
    }

    @Test
    void outsideTheFaultModelTheyAreTheEnvironments() {
      Verdict verdict =
          story()
              .acquires("p/a", 0, 10, 1, 100)
              .acquires("q/b", 5, 20, 2, 120)
              .check(FaultModel.outside());
      assertEquals(1, verdict.of(OVERLAP).size());
      assertTrue(verdict.isClean());
    }

    @Test
    void aHoldEndsAtItsDeadlineWithoutARelease() {
      assertEquals(
          List.of(),
          story().acquires("p/a", 0, 10, 1, 100).acquires("q/b", 5, 100, 2, 200).finds());
      assertEquals(
          List.of(OVERLAP),
          story().acquires("p/a", 0, 10, 1, 101).acquires("q/b", 5, 100, 2, 200).finds());
    }

    @Test
    void onlyAConfirmedRenewalMovesTheDeadline() {
      assertEquals(
          List.of(OVERLAP),
          story()
              .acquires("p/a", 0, 10, 1, 100)
              .renewed("p/a", 50, 150)
              .acquires("q/b", 5, 120, 2, 200)
              .finds());
      assertEquals(
          List.of(),
          story()
              .acquires("p/a", 0, 10, 1, 100)
              .event("p/a", Kind.EXTEND, Phase.INVOKE, 50)
              .event("p/a", Kind.EXTEND, Phase.UNKNOWN, 60)
              .acquires("q/b", 5, 120, 2, 200)
              .finds());
    }

    @Test
    void aRenewalThatEndsEarlierShortensNothing() {
      assertEquals(
          List.of(OVERLAP),
          story()
              .acquires("p/a", 0, 10, 1, 100)
              .renewed("p/a", 20, 60)
              .acquires("q/b", 5, 80, 2, 200)
              .finds());
    }

    @Test
    void reentriesAreOneHoldUntilTheLastRelease() {
      Story story =
          story()
              .acquires("p/a", 0, 10, 1, 100)
              .acquires("p/a", 11, 12, 1, 100)
              .releases("p/a", 20, 21);
      assertEquals(
          List.of(OVERLAP), story.acquires("q/b", 5, 30, 2, 200).finds(), "one is still held");
      assertEquals(2, story.check().holds());
    }

    @Test
    void aLossSignalEndsTheHold() {
      assertEquals(
          List.of(),
          story()
              .acquires("p/a", 0, 10, 1, 100)
              .event("p/a", Kind.LOST, Phase.OK, 40)
              .acquires("q/b", 5, 40, 2, 200)
              .finds());
    }

    @Test
    void theDeadHoldNothing() {
      Story story = story().acquires("p/a", 0, 10, 1, 100).acquires("q/b", 5, 60, 2, 200);
      assertEquals(List.of(OVERLAP), story.finds());
      assertEquals(List.of(), story.died("p", 60).finds());
    }

    @Test
    void aGrantThatCameAfterItsDeadlineIsNoHold() {
      assertEquals(
          List.of(),
          story()
              .acquires("p/a", 0, 150, 1, 100)
              .acquires("q/b", 5, 140, 2, 300)
              .releases("q/b", 200, 210)
              .finds());
    }

    @Test
    void locksOfOtherNamesDoNotMeet() {
      List<Event> events =
          List.of(
              EventFormat.parse("0 acquire invoke p a l1 - -"),
              EventFormat.parse("1 acquire ok p a l1 5 50"),
              EventFormat.parse("0 acquire invoke p a l2 - -"),
              EventFormat.parse("2 acquire ok p a l2 4 50"));
      assertTrue(HistoryChecker.check(History.of(events), FaultModel.inside()).isClean());
    }
  }

  @Nested
  class Tokens {
    @Test
    void mustGrow() {
      for (long second : new long[] {5, 4}) {
        assertEquals(
            List.of(TOKEN_NOT_INCREASING),
            story()
                .acquires("p/a", 0, 10, 5, 100)
                .releases("p/a", 20, 30)
                .acquires("q/b", 25, 40, second, 120)
                .finds());
      }
    }

    @Test
    void areComparedInTheOrderOfGrantsWhereThatIsCertain() {
      Story story =
          story()
              .acquires("p/a", 0, 60, 5, 50)
              .acquires("q/b", 10, 55, 4, 58)
              .releases("q/b", 57, 59);
      assertEquals(List.of(), story.finds(), "the first lease was over when it arrived");
    }

    @Test
    void mustGrowAlsoWhereHoldsMayOverlap() {
      assertEquals(
          List.of(TOKEN_NOT_INCREASING),
          story()
              .acquires("p/a", 0, 10, 5 * 1024, 20)
              .acquires("q/b", 30, 40, 4 * 1024, 120)
              .finds(FaultModel.outside()));
      assertEquals(
          List.of(),
          story()
              .acquires("p/a", 0, 10, 5 * 1024, 20)
              .acquires("q/b", 5, 40, 4 * 1024, 120)
              .finds(FaultModel.outside()),
          "the second may have been granted first, and lost");
    }

    @Test
    void ofALostGrantThatIsHandedOnAreRightlySmaller() {
      Story story =
          story()
              .acquires("p/a", 0, 10, 4 * 1024, 200)
              .acquires("q/b", 20, 30, 5 * 1024, 220)
              .releases("p/a", 40, 42)
              .acquires("p/c", 35, 41, 4 * 1024 + 1, 200);
      assertEquals(List.of(OVERLAP, OVERLAP), story.finds(FaultModel.outside()));
      assertTrue(story.finds().contains(TOKEN_NOT_INCREASING), "which must not be inside");
    }
  }

  @Nested
  class Writes {
    @Test
    void afterTheDeadlineAreTheEnvironments() {
      Verdict verdict = story().acquires("p/a", 0, 10, 1, 100).writes("p/a", 100, 101, 1).check();
      assertEquals(1, verdict.of(EFFECT_AFTER_DEADLINE).size());
      assertTrue(verdict.isClean());
      assertEquals(
          List.of(), story().acquires("p/a", 0, 10, 1, 100).writes("p/a", 99, 101, 1).finds());
    }

    @Test
    void withASmallerTokenMustBeRejected() {
      Story story =
          story()
              .acquires("p/a", 0, 10, 1, 50)
              .acquires("q/b", 5, 60, 2, 200)
              .writes("q/b", 61, 62, 2)
              .writes("p/a", 63, 64, 1);
      assertEquals(List.of(STALE_WRITE_ACCEPTED, EFFECT_AFTER_DEADLINE), story.finds());
      assertFalse(story.check(FaultModel.outside()).isClean(), "always a bug");
    }

    @Test
    void atOneTimeMayComeInAnyOrder() {
      assertEquals(
          List.of(),
          story()
              .acquires("p/a", 0, 10, 1, 65)
              .acquires("q/b", 5, 65, 2, 200)
              .writes("q/b", 66, 70, 2)
              .writes("p/a", 64, 80, 1)
              .finds());
    }
  }

  @Nested
  class Refusals {
    @Test
    void mustMeetAPossibleForeignHold() {
      Story story = story().acquires("p/a", 10, 20, 1, 100).releases("p/a", 30, 40);
      assertEquals(List.of(SPURIOUS_REFUSAL), story.refused("q/b", 50, 60).finds());
    }

    @Test
    void mayMeetWhatHasBegunOrIsBeingGivenBack() {
      Story story = story().acquires("p/a", 10, 20, 1, 100).releases("p/a", 30, 40);
      assertEquals(List.of(), story.refused("q/b", 5, 10).refused("q/b", 40, 45).finds());
    }

    @Test
    void byOnesOwnHoldAreSpurious() {
      assertEquals(
          List.of(SPURIOUS_REFUSAL),
          story().acquires("p/a", 10, 20, 1, 100).refused("p/a", 30, 31).finds());
    }

    @Test
    void mayMeetAnAttemptWhoseOutcomeIsUnknown() {
      Story story =
          story()
              .event("p/a", Kind.ACQUIRE, Phase.INVOKE, 10)
              .event("p/a", Kind.ACQUIRE, Phase.UNKNOWN, 20)
              .refused("q/b", 500, 501);
      assertEquals(List.of(), story.finds());
      assertEquals(List.of(SPURIOUS_REFUSAL), story.finds(STAYS_100));
    }

    @Test
    void mayMeetAnUnconfirmedReleaseOrALossOrADeath() {
      Story unconfirmed =
          story()
              .acquires("p/a", 10, 20, 1, 100)
              .event("p/a", Kind.RELEASE, Phase.INVOKE, 30)
              .event("p/a", Kind.RELEASE, Phase.UNKNOWN, 40);
      Story killed = story().acquires("p/a", 10, 20, 1, 100).died("p", 40);
      for (Story story : List.of(unconfirmed, killed)) {
        assertEquals(List.of(), story.refused("q/b", 140, 141).finds(STAYS_100));
        assertEquals(List.of(), story.finds());
        assertEquals(List.of(SPURIOUS_REFUSAL), story.refused("q/b", 142, 143).finds(STAYS_100));
      }
    }

    @Test
    void mayMeetAHoldThatNeverEnded() {
      assertEquals(
          List.of(),
          story().acquires("p/a", 10, 20, 1, 100).refused("q/b", 5000, 5001).finds(STAYS_100));
    }

    @Test
    void areNotJudgedWhereRequestsStray() {
      assertEquals(List.of(), story().refused("q/b", 50, 60).finds(STAYS_100.withStrayRequests()));
    }

    @Test
    void mayMeetAnEarlierTokenOfOnesOwn() {
      assertEquals(
          List.of(),
          story()
              .acquires("p/a", 10, 20, 1, 100)
              .event("p/a", Kind.RELEASE, Phase.INVOKE, 30)
              .event("p/a", Kind.RELEASE, Phase.UNKNOWN, 40)
              .refused("p/a", 50, 60)
              .finds(STAYS_100));
    }

    @Test
    void lookBeyondTheRefusedOnesOwnStay() {
      Story story =
          story()
              .acquires("q/b", 0, 5, 1, 50)
              .releases("q/b", 8, 9)
              .acquires("p/a", 10, 20, 2, 100)
              .releases("p/a", 30, 40)
              .acquires("q/b", 41, 42, 3, 200)
              .refused("q/b", 43, 44);
      assertEquals(List.of(SPURIOUS_REFUSAL), story.finds());
    }
  }

  @Test
  void whatIsNoHistoryIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> story().event("p/a", Kind.ACQUIRE, Phase.OK, 1).check());
    assertThrows(
        IllegalArgumentException.class,
        () -> story().event("p/a", Kind.RELEASE, Phase.INVOKE, 1).check());
    assertThrows(
        IllegalArgumentException.class,
        () ->
            story()
                .event("p/a", Kind.ACQUIRE, Phase.INVOKE, 1)
                .event("p/a", Kind.ACQUIRE, Phase.INVOKE, 2)
                .check());
  }
}
