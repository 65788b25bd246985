package dev.leasehold.testkit.rules;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import dev.leasehold.testkit.view.ServerView.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Two contenders for something that only one can have. The first is held back between two of its
 * commands (each pair in turn) while the second asks; then the first continues. A store that checks
 * with one command and takes with the next lets both in every time.
 */
final class ForcedRaceRules extends Steps {
  /** What a contender asks for, as a view of the store. */
  private interface Wish extends Function<LeaseStore, LeaseStore> {}

  // ---- RW-1 ----

  @Rule(
      value = "RW-1",
      shows = "a writer held back between its commands, and a reader",
      needs = {Need.STORE, Need.REDIS})
  void readerOvertakes() throws Exception {
    contend(ReadWriteSteps::writes, ReadWriteSteps::reads);
  }

  @Rule(
      value = "RW-1",
      shows = "a reader held back between its commands, and a writer",
      needs = {Need.STORE, Need.REDIS})
  void writerOvertakes() throws Exception {
    contend(ReadWriteSteps::reads, ReadWriteSteps::writes);
  }

  @Rule(
      value = "RW-1",
      shows = "a writer held back between its commands, and a second",
      needs = {Need.STORE, Need.REDIS})
  void writers() throws Exception {
    contend(ReadWriteSteps::writes, ReadWriteSteps::writes);
  }

  // ---- SE-1 ----

  @Rule(
      value = "SE-1",
      shows = "two contend for the last permit, one held back between its commands",
      needs = {Need.STORE, Need.REDIS})
  void lastPermit() throws Exception {
    contend(
        permits(1, 2),
        permits(1, 2),
        () -> hold(permits(1, 2).apply(store()), key(name), ReadWriteSteps.HELD));
  }

  @Rule(
      value = "SE-1",
      shows = "one wants all permits and is held back between its commands",
      needs = {Need.STORE, Need.REDIS})
  void allPermits() throws Exception {
    contend(permits(2, 2), permits(1, 2));
  }

  private static Wish permits(int wanted, int of) {
    return store -> ((PermitStore) store).permits(wanted, of);
  }

  // ---- both ----

  private void contend(Wish late, Wish soon) throws Exception {
    contend(late, soon, () -> {});
  }

  private void contend(Wish late, Wish soon, Runnable before) throws Exception {
    LeaseStore second = soon.apply(store());
    atEachMoment(
        "an acquisition",
        moment -> {
          nextName();
          before.run();
          LeaseStore first = late.apply(moment.site().store());
          LeaseKey winner = key(name);
          CompletableFuture<AcquireResult> asked;
          boolean won;
          try (ActiveFault held = moment.fromNowOn(CommandFault.holdRequest())) {
            asked = asking(first, key(name), ReadWriteSteps.HELD);
            Await.until("it is done or held back", () -> asked.isDone() || held.hits() > 0);
            if (asked.isDone()) {
              Check.that(isGranted(asked), "what is free is granted");
              return true;
            }
            won = isGranted(asking(second, winner, ReadWriteSteps.HELD));
          }
          Check.that(won || moment.sent > 0, "what is free is granted to the second");
          boolean both = isGranted(asked) && won;
          Check.that(
              !both, "of two one gets in, the first held back after " + moment.sent + " commands");
          if (won) {
            RenewResult kept = renew(second, winner, ReadWriteSteps.HELD);
            Check.equal(RenewResult.RENEWED, kept, "what the second's renewal says");
          }
          return false;
        });
  }

  /** A quorum may refuse by an exception, when no majority answers in time. */
  private static boolean isGranted(CompletableFuture<AcquireResult> asked) {
    try {
      return Await.value(asked) instanceof Granted;
    } catch (LockStoreException unanswered) {
      return false;
    }
  }

  private static final Duration EXPIRING =
      TimeScale.seconds(1); // the first votes of a quorum may be slow

  @Rule(
      value = "EX-1",
      shows = "two contend for a lease that is over",
      needs = {Need.STORE, Need.REDIS})
  void oneGetsIt() throws Exception {
    contendForExpired(
        () ->
            loser ->
                Check.that(!(loser instanceof Granted), "one of two contenders gets it: " + loser));
  }

  @Rule(
      value = "EX-5",
      shows = "when a lease that was over has found another holder",
      needs = {Need.STORE, Need.REDIS, Need.VIEW})
  void loserWritesNothing() throws Exception {
    contendForExpired(
        () -> {
          Entry winner = view().look(name).orElseThrow();
          return loser -> {
            Entry now = view().look(name).orElseThrow();
            Check.equal(winner.value(), now.value(), "the winner's value");
            Check.atMost(winner.left(), now.left(), "its time to live");
          };
        });
  }

  /**
   * Lets two contend for a lease that is over.
   *
   * @param checks called when the winner has the lock and the loser is still held back; returns the
   *     check of the loser's result
   */
  private void contendForExpired(Supplier<Consumer<AcquireResult>> checks) throws Exception {
    LeaseStore second = store();
    List<String> over = new ArrayList<>();
    for (int i = 0; i < Moment.MOST; i++) {
      over.add(
          answered(
              () -> {
                String expiring = freshName();
                hold(second, key(expiring), EXPIRING);
                return expiring;
              }));
    }
    Await.pass(ended(EXPIRING).plus(TimeScale.millis(20)));
    atEachMoment(
        "an acquisition",
        moment -> {
          name = over.get(moment.sent);
          LeaseStore first = moment.site().store();
          LeaseKey late = key(name);
          LeaseKey winner = key(name);
          CompletableFuture<AcquireResult> asked;
          boolean won;
          boolean done;
          Consumer<AcquireResult> check = loser -> {};
          try (ActiveFault held = moment.fromNowOn(CommandFault.holdRequest())) {
            asked = asking(first, late, ReadWriteSteps.HELD);
            Await.until("it is done or held back", () -> asked.isDone() || held.hits() > 0);
            done = asked.isDone();
            if (done) {
              Check.that(Await.value(asked) instanceof Granted, "a lease that is over is taken");
            }
            won = !done && ask(second, winner, ReadWriteSteps.HELD) instanceof Granted;
            if (won) {
              check = checks.get();
            }
          }
          AcquireResult end = Await.value(asked);
          if (won) {
            check.accept(end);
            Await.value(second.release(winner));
          } else {
            Check.that(end instanceof Granted, "one of two contenders gets it: " + end);
            Await.value(first.release(late));
          }
          return done;
        });
  }
}
