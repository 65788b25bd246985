package dev.leasehold.redlock;

import static dev.leasehold.redlock.Scene.check;
import static dev.leasehold.redlock.ScriptScene.LEASE;
import static dev.leasehold.redlock.ScriptScene.ONE;
import static dev.leasehold.redlock.ScriptScene.SECOND;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.redis.common.RunGuard;
import dev.leasehold.redis.common.Script;
import dev.leasehold.simulation.ReplyError;
import java.time.Duration;

/** As {@link ScriptStories}, of the scripts that keep a forgetful node from voting. */
@SuppressWarnings("unused") // called by their names
final class GuardStories {
  private GuardStories() {}

  private static Object guarded(ScriptScene s, String run, Duration longest) {
    try {
      return s.send(
          RunGuard.guard(
              s.store.vote(new AcquireRequest(ONE, LEASE, IfHeld.REFUSE, false), 0),
              Script.GUARDED_ACQUIRE,
              run,
              longest));
    } catch (ReplyError error) {
      return error.words();
    }
  }

  static void anotherRunDoesNotVote() {
    ScriptScene s = new ScriptScene();
    s.send(RunGuard.enter("run1", LEASE));
    s.micros += 60 * SECOND;
    Object reply = guarded(s, "run2", LEASE);
    check(reply.toString().startsWith("QUARANTINE unknown run"), "voted: " + reply);
    check(guarded(s, "run1", LEASE) instanceof Long, "does not vote at all");
  }

  static void aRunThatWasJustMetDoesNotVote() {
    ScriptScene s = new ScriptScene();
    s.send(RunGuard.enter("run1", LEASE));
    s.micros += 9 * SECOND;
    Object reply = guarded(s, "run1", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
    s.micros += 60 * SECOND;
    check(guarded(s, "run1", LEASE) instanceof Long, "does not vote at all");
  }

  static void longerLeasesKeepItOutForLonger() {
    ScriptScene s = new ScriptScene();
    s.send(RunGuard.enter("run1", LEASE));
    s.micros += 20 * SECOND;
    Object reply = guarded(s, "run1", Duration.ofSeconds(60));
    check(reply.toString().startsWith("QUARANTINE"), "voted: " + reply);
    reply = guarded(s, "run1", LEASE);
    check(reply.toString().startsWith("QUARANTINE"), "another's longest was forgotten: " + reply);
  }

  static void enteringStartsAnewForAnotherRun() {
    ScriptScene s = new ScriptScene();
    s.send(RunGuard.enter("run1", LEASE));
    s.micros += 60 * SECOND;
    long left = s.number(RunGuard.enter("run2", LEASE));
    check(left >= 10_000, "votes in " + left);
    check(s.number(RunGuard.enter("run2", LEASE)) >= 10_000, "the second client changed it");
  }

  static void enteringForgetsNoLongerLease() {
    ScriptScene s = new ScriptScene();
    s.send(RunGuard.enter("run1", Duration.ofSeconds(60)));
    long left = s.number(RunGuard.enter("run1", LEASE));
    check(left >= 60_000, "votes in " + left);
  }
}
