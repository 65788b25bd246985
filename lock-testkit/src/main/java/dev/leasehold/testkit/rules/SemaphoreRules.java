package dev.leasehold.testkit.rules;

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
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
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
import java.util.concurrent.atomic.AtomicInteger;

final class SemaphoreRules extends SemaphoreSteps {
  // ---- SE-1 ----

  @Rule(value = "SE-1", shows = "several managers")
  void managers() {
    DistributedSemaphore one = semaphore(3);
    DistributedSemaphore other = semaphore(3);
    List<Lease> leases = new ArrayList<>(take(one, 2));
    leases.add(take(other));
    Check.that(one.tryAcquire().isEmpty(), "the holder's manager gets no fourth permit");
    Check.that(other.tryAcquire().isEmpty(), "another manager gets no fourth permit");
    Check.that(leases.stream().allMatch(Lease::isValid), "the three are valid");
    leases.get(0).release();
    checkFree(other, 1, "after one was released");
  }

  @Rule(value = "SE-1", shows = "a lock of the same name is unrelated")
  void lockOfTheName() throws Exception {
    LockManager manager = open();
    DistributedSemaphore semaphore = semaphore(manager, name, 2);
    if (!canBeLockToo(manager, name)) {
      return;
    }
    Lease lock = fixed(manager, name, LONG).acquire();
    List<Lease> permits = take(semaphore, 2);
    lock.release();
    Lease again = fixed(name, LONG).tryAcquire().orElseThrow();
    Check.that(permits.stream().allMatch(Lease::isValid), "permits outlast the lock");
    again.release();
  }

  @Rule(value = "SE-1", shows = "a crowd")
  void crowd() {
    int permits = 2;
    List<LockManager> managers = List.of(open(), open());
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    crowd(
        8,
        i -> {
          DistributedSemaphore mine = semaphore(managers.get(i % 2), permits);
          return () -> visit(mine, inside, most);
        });
    Check.atMost(permits, most.get(), "most holds at a time");
    checkFree(semaphore(managers.get(0), permits), permits, "after all");
  }

  private static boolean visit(
      DistributedSemaphore semaphore, AtomicInteger inside, AtomicInteger most)
      throws InterruptedException {
    for (int round = 0; round < 5; round++) {
      try (Lease lease = semaphore.acquire()) {
        int now = inside.incrementAndGet();
        most.accumulateAndGet(now, Math::max);
        stay();
        inside.decrementAndGet();
        lease.ensureValid();
      }
    }
    return true;
  }

  @Rule(value = "SE-1", shows = "a request that is repeated counts once", needs = Need.STORE)
  void repeated() {
    LeaseStore store = permits(1, 2);
    LeaseKey key = key(name);
    for (int i = 0; i < 3; i++) {
      AcquireResult answer = ask(store, key, LONG);
      Check.that(answer instanceof AcquireResult.Granted, "the token is granted again: " + answer);
    }
    checkFree(semaphore(2), 1, "beside one that asked three times");
  }

  // ---- SE-2 ----

  @Rule(value = "SE-2", shows = "a holder that falls silent for good", needs = Need.STORE)
  void deadHolder() throws Exception {
    DistributedSemaphore rival = semaphore(2);
    long before = System.nanoTime();
    dead(2, 2, BRIEF);
    Check.that(rival.tryAcquire(2, ended(BRIEF).plus(SLACK)).isPresent(), "both come back");
    Check.atLeast(BRIEF, since(before), "not before the lease ends");
  }

  @Rule(value = "SE-2", shows = "beside live ones", needs = Need.STORE, timed = true)
  void deadBesideLiving() throws Exception {
    Lease living = open().semaphore(name, 2, renewed(RENEWED)).acquire();
    dead(1, 2, BRIEF);
    Check.that(
        semaphore(2).tryAcquire(1, ended(BRIEF).plus(SLACK)).isPresent(),
        "the dead one's permit comes back while another is renewed");
    living.ensureValid();
    living.release();
  }

  @Rule(value = "SE-2", shows = "a live holder is renewed", timed = true)
  void living() throws Exception {
    Lease living = open().semaphore(name, 2, renewed(RENEWED)).acquire(2);
    DistributedSemaphore rival = semaphore(2);
    Check.refused(
        rival.tryAcquire(1, RENEWED.multipliedBy(2)).isEmpty(),
        living::isValid,
        "the permits stay taken");
    living.ensureValid();
    living.release();
    checkFree(rival, 2, "after the release");
  }

  @Rule(value = "SE-2", shows = "a lease that is over is not renewed", needs = Need.STORE)
  void noRevival() {
    LeaseKey dead = dead(1, 1, BRIEF);
    LeaseStore store = permits(1, 1);
    DistributedSemaphore rival = semaphore(1);
    Await.pass(ended(BRIEF).plusMillis(1));
    Check.equal(RenewResult.NOT_OWNER, renew(store, dead, LONG), "a late renewal");
    checkFree(rival, 1, "after a late renewal");
    Check.equal(ReleaseResult.NOT_OWNER, Await.value(store.release(dead)), "a late release");
    checkFree(rival, 1, "after a late release");
  }

  // ---- SE-3 ----

  @Rule(value = "SE-3", shows = "another process's release", needs = Need.STORE)
  void stranger() {
    DistributedSemaphore semaphore = semaphore(2);
    LeaseStore store = permits(1, 2);
    List<Lease> leases = take(semaphore, 2);
    ReleaseResult answer = Await.value(store.release(key(name)));
    Check.equal(ReleaseResult.NOT_OWNER, answer, "the answer to a stranger");
    Check.that(semaphore.tryAcquire().isEmpty(), "no permit was added");
    leases.forEach(Lease::release);
    Await.value(store.release(key(name)));
    checkFree(semaphore, 2, "after a stranger's release when all were free");
  }

  @Rule(value = "SE-3", shows = "a handle that is released twice")
  void twice() {
    DistributedSemaphore semaphore = semaphore(open(), freshName(), 2);
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
  void late() throws Exception {
    LockManager manager = open();
    Lease late = manager.semaphore(name, 1, LockOptions.fixed(BRIEF)).acquire();
    DistributedSemaphore rival = semaphore(1);
    Lease next = rival.tryAcquire(1, ended(BRIEF).plus(SLACK)).orElseThrow();
    Check.fails(LeaseLostException.class, "a late release", late::release);
    Check.that(rival.tryAcquire().isEmpty(), "no permit was added");
    next.ensureValid();
    next.release();
    checkFree(rival, 1, "after both releases");
  }

  @Rule(value = "SE-3", shows = "a release whose answer is lost", needs = Need.STORE)
  void lostAnswer() {
    Faults faults = new Faults();
    LockManager manager = open(faults, builder -> builder.commandTimeout(Duration.ofMillis(300)));
    DistributedSemaphore semaphore = semaphore(manager, name, 2);
    List<Lease> leases = take(semaphore, 2);
    faults.next(Op.RELEASE, StoreFault.answerLost());
    Check.fails(LockStoreException.class, "no answer", () -> leases.get(0).release());
    Await.until("it was released again", () -> faults.count(Op.RELEASE) >= 2);
    DistributedSemaphore rival = semaphore(2);
    checkFree(rival, 1, "after a release whose answer was lost");
    leases.get(1).release();
    checkFree(rival, 2, "after both");
  }

  // ---- SE-4 ----

  @Rule(value = "SE-4", shows = "another number")
  void anotherNumber() {
    Lease held = take(semaphore(3));
    LockManager manager = open();
    for (int wrong : List.of(2, 7)) {
      fails(
          LockConfigurationException.class,
          "another number",
          () -> semaphore(manager, wrong).tryAcquire(),
          3,
          wrong);
    }
    held.ensureValid();
  }

  @Rule(value = "SE-4", shows = "resize")
  void resize() {
    DistributedSemaphore three = semaphore(3);
    List<Lease> leases = take(three, 3);
    if (open().guarantees().contains(Guarantee.QUORUM)) {
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
  void agreedNumber() {
    DistributedSemaphore three = semaphore(3);
    Check.that(three.agreedPermits().isEmpty(), "a name that was never used has no number");
    List<Lease> leases = take(three, 1);
    DistributedSemaphore unknowing = semaphore(1);
    Check.equal(OptionalInt.of(3), unknowing.agreedPermits(), "the number of the name");
    DistributedSemaphore knowing = semaphore(unknowing.agreedPermits().orElseThrow());
    take(knowing, 2).forEach(Lease::release);
    leases.forEach(Lease::release);
  }

  @Rule(value = "SE-4", shows = "more permits than one lease may have")
  void manyPermits() {
    int most = ((PermitStore) store()).mostPermits();
    DistributedSemaphore many = semaphore(most);
    Lease lease = take(many);
    Check.equal(most - 1, many.available(), "what is free of " + most);
    Check.equal(OptionalInt.of(most), many.agreedPermits(), "the number of the name");
    lease.release();
    Check.equal(most, many.available(), "what is free after the release");
    if (most > PermitStore.MOST_AT_ONCE) {
      refused(PermitStore.MOST_AT_ONCE + 1, () -> many.tryAcquire(PermitStore.MOST_AT_ONCE + 1));
    }
  }

  @Rule(value = "SE-4", shows = "numbers that can't be")
  void badNumbers() {
    LockManager manager = open();
    for (int wrong : List.of(0, -1, PermitStore.MOST_PERMITS + 1)) {
      refused(wrong, () -> manager.semaphore(name, wrong));
      refused(wrong, () -> semaphore(manager, name, 2).resize(wrong));
    }
    for (int wrong : List.of(0, -1, 3)) {
      refused(wrong, () -> semaphore(manager, name, 2).tryAcquire(wrong));
    }
  }

  private static void refused(int value, Check.Action action) {
    fails(IllegalArgumentException.class, value + " permits", action, value);
  }

  // ---- SE-8 ----

  @Rule("SE-8")
  void noToken() {
    LockManager manager = open();
    if (manager.guarantees().contains(Guarantee.SLOTS)) {
      return; // covered by the other rules
    }
    Lease lease = take(semaphore(manager, 2));
    Check.equal(List.of(), lease.slots(), "slots of what has none");
    Check.fails(UnsupportedOperationException.class, "a token of permits", lease::fencingToken);
    lease.release();
  }
}
