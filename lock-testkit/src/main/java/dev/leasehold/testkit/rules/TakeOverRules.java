package dev.leasehold.testkit.rules;

import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.view.ServerView;
import dev.leasehold.testkit.view.ServerView.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Two contenders find the same expired lease. The first is held back between two of its commands
 * (each pair in turn) while the second takes the lock; then the first continues.
 */
final class TakeOverRules {
  private static final Duration LONG = TimeScale.seconds(30);
  private static final Duration BRIEF =
      TimeScale.seconds(1); // the first votes of a quorum may be slow

  /** Checks on the losing contender. */
  private interface Checks {

    /** The winner has the lock; the loser is still held back. */
    void before(String name);

    /** The loser has finished. */
    void after(String name, AcquireResult loser);
  }

  @Rule(
      value = "EX-1",
      shows = "two contend for a lease that is over",
      needs = {Need.STORE, Need.REDIS})
  void oneGetsIt(Bench bench) throws Exception {
    contend(
        bench,
        new Checks() {
          @Override
          public void before(String name) {}

          @Override
          public void after(String name, AcquireResult loser) {
            Check.that(!(loser instanceof Granted), "one of two contenders gets it: " + loser);
          }
        });
  }

  @Rule(
      value = "EX-5",
      shows = "when a lease that was over has found another holder",
      needs = {Need.STORE, Need.REDIS, Need.VIEW})
  void loserWritesNothing(Bench bench) throws Exception {
    ServerView view = bench.site().view();
    contend(
        bench,
        new Checks() {
          private Entry winner = new Entry("", java.util.Optional.empty());

          @Override
          public void before(String name) {
            winner = view.look(name).orElseThrow();
          }

          @Override
          public void after(String name, AcquireResult loser) {
            Entry now = view.look(name).orElseThrow();
            Check.equal(winner.value(), now.value(), "the winner's value");
            Check.atMost(winner.left(), now.left(), "its time to live");
          }
        });
  }

  private static void contend(Bench bench, Checks checks) throws Exception {
    LeaseStore second = bench.site().store();
    List<String> over = new ArrayList<>();
    for (int i = 0; i < Steps.MOST; i++) {
      over.add(Answers.answered(() -> taken(bench, second)));
    }
    Await.pass(bench.ended(BRIEF).plus(TimeScale.millis(20)));
    for (int sent = 0; sent < Steps.MOST; sent++) {
      String name = over.get(sent);
      Steps steps = new Steps(bench);
      LeaseStore first = steps.site().store();
      LeaseKey late = bench.key(name);
      CompletableFuture<AcquireResult> asked;
      LeaseKey winner = bench.key(name);
      boolean won;
      boolean done;
      try (ActiveFault held = steps.after(sent, CommandFault.holdRequest())) {
        asked = first.acquire(new AcquireRequest(late, LONG, IfHeld.REFUSE)).toCompletableFuture();
        Await.until("it is done or held back", () -> asked.isDone() || held.hits() > 0);
        done = asked.isDone();
        if (done) {
          Check.that(Await.value(asked) instanceof Granted, "a lease that is over is taken");
        }
        won = !done && bench.site().ask(second, winner, LONG) instanceof Granted;
        if (won) {
          checks.before(name);
        }
      }
      AcquireResult end = Await.value(asked);
      if (won) {
        checks.after(name, end);
        Await.value(second.release(winner));
      } else {
        Check.that(end instanceof Granted, "one of two contenders gets it: " + end);
        Await.value(first.release(late));
      }
      if (done) {
        return;
      }
    }
    throw new AssertionError("an acquisition sends more than " + Steps.MOST + " commands");
  }

  /** A name that is held for a brief lease. */
  private static String taken(Bench bench, LeaseStore store) {
    String name = bench.name();
    AcquireResult granted = bench.site().ask(store, bench.key(name), BRIEF);
    Check.that(granted instanceof Granted, "a free lock is granted: " + granted);
    return name;
  }
}
