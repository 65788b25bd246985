package dev.leasehold.testkit.rules;

import static dev.leasehold.testkit.rules.ReadWrites.LONG;

import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireRequest;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.AcquireResult.Granted;
import dev.leasehold.lock.spi.IfHeld;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Two contenders for something that only one can have. The first is held back between two of its
 * commands (each pair in turn) while the second asks; then the first continues. A store that checks
 * with one command and takes with the next lets both in every time.
 */
final class ForcedRaceRules {

  /** What a contender asks for, as a view of the store. */
  private interface Wish extends Function<LeaseStore, LeaseStore> {}

  private static LeaseStore reads(LeaseStore store) {
    return ((ReadWriteStore) store).reads();
  }

  private static LeaseStore writes(LeaseStore store) {
    return ((ReadWriteStore) store).writes();
  }

  private static Wish permits(int wanted, int of) {
    return store -> ((PermitStore) store).permits(wanted, of);
  }

  // ---- RW-1 ----

  @Rule(
      value = "RW-1",
      shows = "a writer held back between its commands, and a reader",
      needs = {Need.STORE, Need.REDIS})
  void readerOvertakes(Bench bench) {
    contend(bench, ForcedRaceRules::writes, ForcedRaceRules::reads, name -> {});
  }

  @Rule(
      value = "RW-1",
      shows = "a reader held back between its commands, and a writer",
      needs = {Need.STORE, Need.REDIS})
  void writerOvertakes(Bench bench) {
    contend(bench, ForcedRaceRules::reads, ForcedRaceRules::writes, name -> {});
  }

  @Rule(
      value = "RW-1",
      shows = "a writer held back between its commands, and a second",
      needs = {Need.STORE, Need.REDIS})
  void writers(Bench bench) {
    contend(bench, ForcedRaceRules::writes, ForcedRaceRules::writes, name -> {});
  }

  // ---- SE-1 ----

  @Rule(
      value = "SE-1",
      shows = "two contend for the last permit, one held back between its commands",
      needs = {Need.STORE, Need.REDIS})
  void lastPermit(Bench bench) {
    contend(
        bench, permits(1, 2), permits(1, 2), name -> SemaphoreSteps.dead(bench, name, 1, 2, LONG));
  }

  @Rule(
      value = "SE-1",
      shows = "one wants all permits and is held back between its commands",
      needs = {Need.STORE, Need.REDIS})
  void allPermits(Bench bench) {
    contend(bench, permits(2, 2), permits(1, 2), name -> {});
  }

  // ---- both ----

  private static void contend(Bench bench, Wish late, Wish soon, Consumer<String> before) {
    LeaseStore second = soon.apply(bench.site().store());
    for (int sent = 0; sent < Steps.MOST; sent++) {
      String name = bench.name();
      before.accept(name);
      Steps steps = new Steps(bench);
      LeaseStore first = late.apply(steps.site().store());
      LeaseKey winner = bench.key(name);
      CompletableFuture<AcquireResult> asked;
      boolean won;
      try (ActiveFault held = steps.after(sent, CommandFault.holdRequest())) {
        asked = ask(first, bench.key(name)).toCompletableFuture();
        Await.until("it is done or held back", () -> asked.isDone() || held.hits() > 0);
        if (asked.isDone()) {
          Check.that(sent > 0, "an acquisition sends something");
          Check.that(isGranted(asked), "what is free is granted");
          return;
        }
        won = isGranted(ask(second, winner));
      }
      Check.that(won || sent > 0, "what is free is granted to the second");
      boolean both = isGranted(asked) && won;
      Check.that(!both, "of two one gets in, the first held back after " + sent + " commands");
      if (won) {
        RenewRequest renewal = new RenewRequest(winner, LONG);
        RenewResult kept = Await.value(second.renew(List.of(renewal)).get(0));
        Check.equal(RenewResult.RENEWED, kept, "what the second's renewal says");
      }
    }
    throw new AssertionError("an acquisition sends more than " + Steps.MOST + " commands");
  }

  private static CompletionStage<AcquireResult> ask(LeaseStore store, LeaseKey key) {
    return store.acquire(new AcquireRequest(key, LONG, IfHeld.REFUSE));
  }

  /** A quorum may refuse by an exception, when no majority answers in time. */
  private static boolean isGranted(CompletionStage<AcquireResult> asked) {
    try {
      return Await.value(asked) instanceof Granted;
    } catch (LockStoreException unanswered) {
      return false;
    }
  }
}
