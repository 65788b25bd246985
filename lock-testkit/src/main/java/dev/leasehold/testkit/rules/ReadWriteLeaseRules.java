package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.proxy.ActiveFault;
import dev.leasehold.testkit.proxy.CommandFault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Checks that a hold of either side of a read/write lock is a lease like that of a plain lock. */
final class ReadWriteLeaseRules extends ReadWriteSteps {
  /** Longer than a lease that is not renewed. */
  private static final Duration LONGER = RENEWED.plus(BRIEF);

  /** The possible successors of a writer: a store may keep the two sides apart. */
  private static final List<Function<DistributedReadWriteLock, DistributedLock>> SIDES =
      List.of(DistributedReadWriteLock::write, DistributedReadWriteLock::read);

  private static void checkRefused(LeaseStore side, LeaseKey lease, String whose) {
    Check.equal(RenewResult.NOT_OWNER, renew(side, lease, HELD), whose + " renewal");
    Check.equal(ReleaseResult.NOT_OWNER, Await.value(side.release(lease)), whose + " release");
  }

  /** Acquires the side as soon as a lease of that length has expired. */
  private Lease next(DistributedLock side) throws Exception {
    return side.tryAcquire(ended(BRIEF).plus(SLACK))
        .orElseThrow(
            () -> new AssertionError(side + " is not free when the lease before has ended"));
  }

  /** Checks that the lock is still held and that its holder can release it. */
  private void checkHeld(Lease holder, String after) throws Exception {
    DistributedReadWriteLock third = sides();
    Check.that(third.write().tryAcquire().isEmpty(), "no writer gets in after " + after);
    holder.ensureValid();
    holder.release();
    Check.that(third.write().tryAcquire(SLACK).isPresent(), "a writer after the holder");
  }

  // ---- readers ----

  @Rule(value = "RW-4", shows = "a dead reader beside a live one", needs = Need.STORE, timed = true)
  void deadReader() throws Exception {
    Lease living = sides(open(), renewed(RENEWED)).read().acquire();
    LeaseStore reads = reads(store());
    LeaseKey dead = dead(reads, BRIEF);
    DistributedReadWriteLock other = sides();
    Await.pass(ended(LONGER));
    living.ensureValid();
    Check.refused(
        other.write().tryAcquire().isEmpty(),
        living::isValid,
        "no writer beside the one that lives");
    checkRefused(reads, dead, "the dead one's");
    living.ensureValid();
    living.release();
    Check.that(
        other.write().tryAcquire(TimeScale.millis(500)).isPresent(),
        "the dead reader's lease was not extended");
  }

  @Rule(value = "RW-4", shows = "a live reader is renewed", timed = true)
  void living() throws Exception {
    DistributedReadWriteLock lock = sides(open(), renewed(RENEWED));
    Lease one = lock.read().acquire();
    Lease two = elsewhere(lock.read()::acquire);
    DistributedReadWriteLock other = sides();
    Check.refused(other.write().tryAcquire(LONGER).isEmpty(), one::isValid, "no writer");
    one.release();
    Check.refused(
        other.write().tryAcquire(LONGER).isEmpty(), two::isValid, "nor beside the second");
    two.ensureValid();
    two.release();
    Check.that(other.write().tryAcquire(SLACK).isPresent(), "a writer after both");
  }

  // ---- writers ----

  // Catches a key without a time to live.
  @Rule(value = "RW-4", shows = "a dead writer", needs = Need.STORE)
  void deadWriter() throws Exception {
    for (Function<DistributedReadWriteLock, DistributedLock> side : SIDES) {
      nextName();
      DistributedLock other = side.apply(sides());
      long before = System.nanoTime();
      dead(writes(store()), BRIEF);
      next(other).release();
      Check.atLeast(BRIEF, since(before), "the dead one's lease");
    }
  }

  @Rule(value = "RW-4", shows = "a live writer is renewed", timed = true)
  void livingWriter() throws Exception {
    Lease write = sides(open(), renewed(RENEWED)).write().acquire();
    DistributedReadWriteLock other = sides();
    Check.refused(other.write().tryAcquire(LONGER).isEmpty(), write::isValid, "no second writer");
    Check.refused(other.read().tryAcquire(LONGER).isEmpty(), write::isValid, "no reader");
    write.ensureValid();
    write.release();
    Check.that(other.write().tryAcquire(SLACK).isPresent(), "a writer after the release");
  }

  @Rule(value = "RW-4", shows = "a writer that comes back late")
  void lateWriter() throws Exception {
    for (Function<DistributedReadWriteLock, DistributedLock> side : SIDES) {
      nextName();
      Lease late = sides(open(), LockOptions.fixed(BRIEF)).write().acquire();
      Await.until("its lease ends", () -> !late.isValid());
      Lease successor = next(side.apply(sides()));
      Check.fails(LeaseLostException.class, "a late release", late::release);
      checkHeld(successor, "a late release");
    }
  }

  // Catches a release by the key alone.
  @Rule(value = "RW-4", shows = "a late writer's release", needs = Need.STORE)
  void lateRelease() throws Exception {
    for (Function<DistributedReadWriteLock, DistributedLock> side : SIDES) {
      nextName();
      LeaseStore writes = writes(store());
      LeaseKey late = dead(writes, BRIEF);
      Lease successor = next(side.apply(sides()));
      for (LeaseKey lease : List.of(late, key(name))) {
        ReleaseResult answer = Await.value(writes.release(lease));
        Check.equal(ReleaseResult.NOT_OWNER, answer, "the answer to a release by another");
      }
      checkHeld(successor, "a release by others");
    }
  }

  // Catches a renewal that looks whether there is a writer, and not whether it is this one.
  @Rule(value = "RW-4", shows = "a late writer's renewal", needs = Need.STORE)
  void lateRenewal() throws Exception {
    for (Function<DistributedReadWriteLock, DistributedLock> side : SIDES) {
      nextName();
      LeaseStore writes = writes(store());
      LeaseKey late = dead(writes, BRIEF);
      next(side.apply(sides(open(), LockOptions.fixed(BRIEF))));
      for (LeaseKey lease : List.of(late, key(name))) {
        RenewResult answer = renew(writes, lease, HELD);
        Check.equal(RenewResult.NOT_OWNER, answer, "the answer to a renewal by another");
      }
      // The successor is not released either: its lease must expire.
      Check.that(
          sides().write().tryAcquire(ended(BRIEF).plus(SLACK)).isPresent(),
          "the successor's lease was not extended");
    }
  }

  // Catches a release that compares by one command and deletes by the next.
  @Rule(
      value = "RW-4",
      shows = "a writer's release, held back between its commands",
      needs = {Need.STORE, Need.REDIS})
  void releaseInOneStep() throws Exception {
    atEachMoment(
        "a release",
        moment -> {
          nextName();
          LeaseStore writes = writes(moment.site().store());
          LeaseKey late = dead(writes, BRIEF);
          CompletableFuture<ReleaseResult> release;
          Lease successor;
          try (ActiveFault held = moment.fromNowOn(CommandFault.holdRequest())) {
            release = writes.release(late).toCompletableFuture();
            Await.until("it is done or held back", () -> release.isDone() || held.hits() > 0);
            if (release.isDone()) {
              return true;
            }
            successor = next(sides().write());
          }
          Await.until("the release ends", release::isDone);
          checkHeld(successor, "a release held back after " + moment.sent + " commands");
          return false;
        });
  }
}
