package dev.leasehold.testkit.rules;

import static dev.leasehold.testkit.rules.SemaphoreSteps.BRIEF;
import static dev.leasehold.testkit.rules.SemaphoreSteps.LONG;
import static dev.leasehold.testkit.rules.SemaphoreSteps.RENEWED;
import static dev.leasehold.testkit.rules.SemaphoreSteps.SLACK;
import static dev.leasehold.testkit.rules.SemaphoreSteps.checkFree;
import static dev.leasehold.testkit.rules.SemaphoreSteps.take;

import dev.leasehold.lock.DistributedSemaphore;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.PermitStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

final class SemaphoreRules {
  // ---- SE-1 ----

  @Rule(value = "SE-1", shows = "several managers")
  void managers(Bench bench) {
    String name = bench.name();
    DistributedSemaphore one = SemaphoreSteps.of(bench.site().open(), name, 3);
    DistributedSemaphore other = SemaphoreSteps.of(bench.site().open(), name, 3);
    List<Lease> leases = new ArrayList<>(take(one, 2));
    leases.addAll(take(other, 1));
    Check.that(one.tryAcquire().isEmpty(), "the holder's manager gets no fourth permit");
    Check.that(other.tryAcquire().isEmpty(), "another manager gets no fourth permit");
    Check.that(leases.stream().allMatch(Lease::isValid), "the three are valid");
    leases.get(0).release();
    checkFree(other, 1, "after one was released");
  }

  @Rule(value = "SE-1", shows = "a lock of the same name is unrelated")
  void lockOfTheName(Bench bench) throws Exception {
    String name = bench.name();
    LockManager manager = bench.site().open();
    DistributedSemaphore semaphore = SemaphoreSteps.of(manager, name, 2);
    if (!NameSpaces.canBeLockToo(manager, name)) {
      return;
    }
    Lease lock = bench.fixed(manager, name, LONG).acquire();
    List<Lease> permits = take(semaphore, 2);
    lock.release();
    Lease again = bench.fixed(bench.site().open(), name, LONG).tryAcquire().orElseThrow();
    Check.that(permits.stream().allMatch(Lease::isValid), "permits outlast the lock");
    again.release();
  }

  @Rule(value = "SE-1", shows = "a crowd")
  void crowd(Bench bench) {
    int permits = 2;
    String name = bench.name();
    List<LockManager> managers = List.of(bench.site().open(), bench.site().open());
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      DistributedSemaphore mine = SemaphoreSteps.of(managers.get(i % 2), name, permits);
      all.add(bench.onThread(() -> visit(mine, inside, most)));
    }
    all.forEach(Await::value);
    Check.atMost(permits, most.get(), "most holds at a time");
    checkFree(SemaphoreSteps.of(managers.get(0), name, permits), permits, "after all");
  }

  private static boolean visit(
      DistributedSemaphore semaphore, AtomicInteger inside, AtomicInteger most)
      throws InterruptedException {
    for (int round = 0; round < 5; round++) {
      try (Lease lease = semaphore.acquire()) {
        int now = inside.incrementAndGet();
        most.accumulateAndGet(now, Math::max);
        Thread.yield();
        inside.decrementAndGet();
        lease.ensureValid();
      }
    }
    return true;
  }

  @Rule(value = "SE-1", shows = "a request that is repeated counts once", needs = Need.STORE)
  void repeated(Bench bench) {
    String name = bench.name();
    LeaseStore view = ((PermitStore) bench.site().store()).permits(1, 2);
    LeaseKey key = bench.key(name);
    for (int i = 0; i < 3; i++) {
      AcquireResult answer = SemaphoreSteps.ask(view, key, LONG);
      Check.that(answer instanceof AcquireResult.Granted, "the token is granted again: " + answer);
    }
    checkFree(
        SemaphoreSteps.of(bench.site().open(), name, 2), 1, "beside one that asked three times");
  }

  // ---- SE-2 ----

  @Rule(value = "SE-2", shows = "a holder that falls silent for good", needs = Need.STORE)
  void deadHolder(Bench bench) throws Exception {
    String name = bench.name();
    DistributedSemaphore rival = SemaphoreSteps.of(bench.site().open(), name, 2);
    long before = System.nanoTime();
    SemaphoreSteps.dead(bench, name, 2, 2, BRIEF);
    Check.that(rival.tryAcquire(2, bench.ended(BRIEF).plus(SLACK)).isPresent(), "both come back");
    Check.atLeast(BRIEF, Duration.ofNanos(System.nanoTime() - before), "not before the lease ends");
  }

  @Rule(value = "SE-2", shows = "beside live ones", needs = Need.STORE, timed = true)
  void deadBesideLiving(Bench bench) throws Exception {
    String name = bench.name();
    LockManager manager = bench.site().open();
    LockOptions renewed = LockOptions.builder().automaticLease(RENEWED).build();
    Lease living = manager.semaphore(name, 2, renewed).acquire();
    SemaphoreSteps.dead(bench, name, 1, 2, BRIEF);
    DistributedSemaphore rival = SemaphoreSteps.of(bench.site().open(), name, 2);
    Check.that(
        rival.tryAcquire(1, bench.ended(BRIEF).plus(SLACK)).isPresent(),
        "the dead one's permit comes back while another is renewed");
    living.ensureValid();
    living.release();
  }

  @Rule(value = "SE-2", shows = "a live holder is renewed", timed = true)
  void living(Bench bench) throws Exception {
    String name = bench.name();
    LockOptions renewed = LockOptions.builder().automaticLease(RENEWED).build();
    Lease living = bench.site().open().semaphore(name, 2, renewed).acquire(2);
    DistributedSemaphore rival = SemaphoreSteps.of(bench.site().open(), name, 2);
    Check.refused(
        rival.tryAcquire(1, RENEWED.multipliedBy(2)).isEmpty(),
        living::isValid,
        "the permits stay taken");
    living.ensureValid();
    living.release();
    checkFree(rival, 2, "after the release");
  }

  @Rule(value = "SE-2", shows = "a lease that is over is not renewed", needs = Need.STORE)
  void noRevival(Bench bench) {
    String name = bench.name();
    LeaseKey dead = SemaphoreSteps.dead(bench, name, 1, 1, BRIEF);
    LeaseStore view = ((PermitStore) bench.site().store()).permits(1, 1);
    DistributedSemaphore rival = SemaphoreSteps.of(bench.site().open(), name, 1);
    Await.pass(bench.ended(BRIEF).plusMillis(1));
    RenewRequest late = new RenewRequest(dead, LONG);
    Check.equal(
        RenewResult.NOT_OWNER, Await.value(view.renew(List.of(late)).get(0)), "a late renewal");
    checkFree(rival, 1, "after a late renewal");
    Check.equal(ReleaseResult.NOT_OWNER, Await.value(view.release(dead)), "a late release");
    checkFree(rival, 1, "after a late release");
  }

  // ---- SE-3 ----

  @Rule(value = "SE-3", shows = "another process's release", needs = Need.STORE)
  void stranger(Bench bench) {
    String name = bench.name();
    DistributedSemaphore semaphore = SemaphoreSteps.of(bench.site().open(), name, 2);
    LeaseStore view = ((PermitStore) bench.site().store()).permits(1, 2);
    List<Lease> leases = take(semaphore, 2);
    ReleaseResult answer = Await.value(view.release(bench.key(name)));
    Check.equal(ReleaseResult.NOT_OWNER, answer, "the answer to a stranger");
    Check.that(semaphore.tryAcquire().isEmpty(), "no permit was added");
    leases.forEach(Lease::release);
    Await.value(view.release(bench.key(name)));
    checkFree(semaphore, 2, "after a stranger's release when all were free");
  }

  @Rule(value = "SE-3", shows = "a handle that is released twice")
  void twice(Bench bench) {
    DistributedSemaphore semaphore = SemaphoreSteps.of(bench.site().open(), bench.name(), 2);
    List<Lease> leases = take(semaphore, 2);
    leases.get(0).release();
    leases.get(0).release();
    Lease kept = leases.get(1);
    checkFree(semaphore, 1, "after one was released twice");
    kept.ensureValid();
    kept.release();
    checkFree(semaphore, 2, "after both");
  }

  @Rule(value = "SE-3", shows = "a release after the lease is over")
  void late(Bench bench) throws Exception {
    String name = bench.name();
    LockManager manager = bench.site().open();
    Lease late = manager.semaphore(name, 1, LockOptions.fixed(BRIEF)).acquire();
    DistributedSemaphore rival = SemaphoreSteps.of(bench.site().open(), name, 1);
    Lease next = rival.tryAcquire(1, bench.ended(BRIEF).plus(SLACK)).orElseThrow();
    Check.fails(LeaseLostException.class, "a late release", late::release);
    Check.that(rival.tryAcquire().isEmpty(), "no permit was added");
    next.ensureValid();
    next.release();
    checkFree(rival, 1, "after both releases");
  }

  @Rule(value = "SE-3", shows = "a release whose answer is lost", needs = Need.STORE)
  void lostAnswer(Bench bench) {
    String name = bench.name();
    Faults faults = new Faults();
    LockManager manager =
        bench.site().open(faults, builder -> builder.commandTimeout(Duration.ofMillis(300)));
    DistributedSemaphore semaphore = SemaphoreSteps.of(manager, name, 2);
    List<Lease> leases = take(semaphore, 2);
    faults.next(Op.RELEASE, StoreFault.answerLost());
    Check.fails(LockStoreException.class, "no answer", () -> leases.get(0).release());
    Await.until("it was released again", () -> faults.count(Op.RELEASE) >= 2);
    DistributedSemaphore rival = SemaphoreSteps.of(bench.site().open(), name, 2);
    checkFree(rival, 1, "after a release whose answer was lost");
    leases.get(1).release();
    checkFree(rival, 2, "after both");
  }

  // ---- SE-4 ----

  @Rule(value = "SE-4", shows = "another number")
  void anotherNumber(Bench bench) {
    String name = bench.name();
    Lease held = take(SemaphoreSteps.of(bench.site().open(), name, 3), 1).get(0);
    LockManager manager = bench.site().open();
    for (int wrong : List.of(2, 7)) {
      LockConfigurationException refusal =
          Check.fails(
              LockConfigurationException.class,
              "another number",
              () -> SemaphoreSteps.of(manager, name, wrong).tryAcquire());
      String words = String.valueOf(refusal.getMessage());
      Check.that(words.contains("3") && words.contains("" + wrong), "both are named: " + words);
    }
    held.ensureValid();
  }

  @Rule(value = "SE-4", shows = "resize")
  void resize(Bench bench) {
    String name = bench.name();
    DistributedSemaphore three = SemaphoreSteps.of(bench.site().open(), name, 3);
    List<Lease> leases = take(three, 3);
    if (bench.site().open().guarantees().contains(Guarantee.QUORUM)) {
      Check.fails(LockConfigurationException.class, "on a quorum", () -> three.resize(2));
      leases.forEach(Lease::ensureValid);
      return;
    }
    DistributedSemaphore two = three.resize(2);
    Check.equal(2, two.permits(), "the new number");
    Check.fails(LockConfigurationException.class, "the old number", three::tryAcquire);
    leases.get(0).release();
    Check.that(two.tryAcquire().isEmpty(), "two of two are held");
    leases.get(1).release();
    Lease next = two.tryAcquire().orElseThrow();
    Check.that(two.tryAcquire().isEmpty(), "two of two are held again");
    DistributedSemaphore four = two.resize(4);
    checkFree(four, 2, "after it grew");
    next.ensureValid();
    leases.get(2).ensureValid();
  }

  @Rule(value = "SE-4", shows = "the store is asked for the number")
  void agreedNumber(Bench bench) {
    String name = bench.name();
    DistributedSemaphore three = SemaphoreSteps.of(bench.site().open(), name, 3);
    Check.that(three.agreedPermits().isEmpty(), "a name that was never used has no number");
    List<Lease> leases = take(three, 1);
    DistributedSemaphore unknowing = SemaphoreSteps.of(bench.site().open(), name, 1);
    Check.equal(OptionalInt.of(3), unknowing.agreedPermits(), "the number of the name");
    DistributedSemaphore knowing =
        SemaphoreSteps.of(bench.site().open(), name, unknowing.agreedPermits().orElseThrow());
    take(knowing, 2).forEach(Lease::release);
    leases.forEach(Lease::release);
  }

  @Rule(value = "SE-4", shows = "more permits than one lease may have")
  void manyPermits(Bench bench) {
    LockManager manager = bench.site().open();
    String name = bench.name();
    int most = ((PermitStore) bench.site().store()).mostPermits();
    DistributedSemaphore many = SemaphoreSteps.of(manager, name, most);
    Lease lease = take(many, 1).get(0);
    Check.equal(most - 1, many.available(), "what is free of " + most);
    Check.equal(OptionalInt.of(most), many.agreedPermits(), "the number of the name");
    lease.release();
    Check.equal(most, many.available(), "what is free after the release");
    if (most > PermitStore.MOST_AT_ONCE) {
      refused(PermitStore.MOST_AT_ONCE + 1, () -> many.tryAcquire(PermitStore.MOST_AT_ONCE + 1));
    }
  }

  @Rule(value = "SE-4", shows = "numbers that can't be")
  void badNumbers(Bench bench) {
    LockManager manager = bench.site().open();
    String name = bench.name();
    for (int wrong : List.of(0, -1, PermitStore.MOST_PERMITS + 1)) {
      refused(wrong, () -> manager.semaphore(name, wrong));
      refused(wrong, () -> SemaphoreSteps.of(manager, name, 2).resize(wrong));
    }
    for (int wrong : List.of(0, -1, 3)) {
      refused(wrong, () -> SemaphoreSteps.of(manager, name, 2).tryAcquire(wrong));
    }
  }

  private static void refused(int value, Check.Action action) {
    IllegalArgumentException refusal =
        Check.fails(IllegalArgumentException.class, value + " permits", action);
    Check.that(
        String.valueOf(refusal.getMessage()).contains("" + value),
        "the message names the value: " + refusal.getMessage());
  }

  // ---- SE-8 ----

  @Rule("SE-8")
  void noToken(Bench bench) {
    LockManager manager = bench.site().open();
    if (manager.guarantees().contains(Guarantee.SLOTS)) {
      return; // covered by the other rules
    }
    Lease lease = take(SemaphoreSteps.of(manager, bench.name(), 2), 1).get(0);
    Check.equal(List.of(), lease.slots(), "slots of what has none");
    Check.fails(UnsupportedOperationException.class, "a token of permits", lease::fencingToken);
    lease.release();
  }
}
