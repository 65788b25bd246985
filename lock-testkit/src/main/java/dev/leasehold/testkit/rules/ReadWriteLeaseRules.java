package dev.leasehold.testkit.rules;

import static dev.leasehold.testkit.rules.ReadWrites.BRIEF;
import static dev.leasehold.testkit.rules.ReadWrites.LONG;
import static dev.leasehold.testkit.rules.ReadWrites.RENEWED;
import static dev.leasehold.testkit.rules.ReadWrites.SLACK;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.ReadWriteStore;
import dev.leasehold.lock.spi.ReleaseResult;
import dev.leasehold.lock.spi.RenewRequest;
import dev.leasehold.lock.spi.RenewResult;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
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
final class ReadWriteLeaseRules {
  /** Longer than a lease that is not renewed. */
  private static final Duration LONGER = RENEWED.plus(BRIEF);

  /** The possible successors of a writer: a store may keep the two sides apart. */
  private static final List<Function<DistributedReadWriteLock, DistributedLock>> SIDES =
      List.of(DistributedReadWriteLock::write, DistributedReadWriteLock::read);

  private static LeaseStore writes(Bench bench) {
    return ((ReadWriteStore) bench.site().store()).writes();
  }

  private static RenewResult renewed(LeaseStore side, LeaseKey lease) {
    return Await.value(side.renew(List.of(new RenewRequest(lease, LONG))).get(0));
  }

  private static void checkRefused(LeaseStore side, LeaseKey lease, String whose) {
    Check.equal(RenewResult.NOT_OWNER, renewed(side, lease), whose + " renewal");
    Check.equal(ReleaseResult.NOT_OWNER, Await.value(side.release(lease)), whose + " release");
  }

  /** Acquires the side as soon as a lease of that length has expired. */
  private static Lease next(Bench bench, DistributedLock side, Duration lease) throws Exception {
    return side.tryAcquire(bench.ended(lease).plus(SLACK))
        .orElseThrow(
            () -> new AssertionError(side + " is not free when the lease before has ended"));
  }

  /** Checks that the lock is still held and that its holder can release it. */
  private static void checkHeld(Bench bench, String name, Lease holder, String after)
      throws Exception {
    DistributedReadWriteLock third = ReadWrites.of(bench.site().open(), name);
    Check.that(third.write().tryAcquire().isEmpty(), "no writer gets in after " + after);
    holder.ensureValid();
    holder.release();
    Check.that(third.write().tryAcquire(SLACK).isPresent(), "a writer after the holder");
  }

  // ---- readers ----

  @Rule(value = "RW-4", shows = "a dead reader beside a live one", needs = Need.STORE, timed = true)
  void deadReader(Bench bench) throws Exception {
    String name = bench.name();
    LockOptions renewed = LockOptions.builder().automaticLease(RENEWED).build();
    Lease living = bench.site().open().readWriteLock(name, renewed).read().acquire();
    LeaseStore reads = ((ReadWriteStore) bench.site().store()).reads();
    LeaseKey dead = ReadWrites.dead(bench, reads, name, BRIEF);
    DistributedReadWriteLock other = ReadWrites.of(bench.site().open(), name);
    Await.pass(bench.ended(LONGER));
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
  void living(Bench bench) throws Exception {
    String name = bench.name();
    LockOptions renewed = LockOptions.builder().automaticLease(RENEWED).build();
    DistributedReadWriteLock lock = bench.site().open().readWriteLock(name, renewed);
    Lease one = lock.read().acquire();
    Lease two = bench.onThread(() -> lock.read().acquire()).get();
    DistributedReadWriteLock other = ReadWrites.of(bench.site().open(), name);
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
  void deadWriter(Bench bench) throws Exception {
    for (Function<DistributedReadWriteLock, DistributedLock> side : SIDES) {
      String name = bench.name();
      DistributedLock other = side.apply(ReadWrites.of(bench.site().open(), name));
      long before = System.nanoTime();
      ReadWrites.dead(bench, writes(bench), name, BRIEF);
      next(bench, other, BRIEF).release();
      Check.atLeast(BRIEF, Duration.ofNanos(System.nanoTime() - before), "the dead one's lease");
    }
  }

  @Rule(value = "RW-4", shows = "a live writer is renewed", timed = true)
  void livingWriter(Bench bench) throws Exception {
    String name = bench.name();
    LockOptions renewed = LockOptions.builder().automaticLease(RENEWED).build();
    Lease write = bench.site().open().readWriteLock(name, renewed).write().acquire();
    DistributedReadWriteLock other = ReadWrites.of(bench.site().open(), name);
    Check.refused(other.write().tryAcquire(LONGER).isEmpty(), write::isValid, "no second writer");
    Check.refused(other.read().tryAcquire(LONGER).isEmpty(), write::isValid, "no reader");
    write.ensureValid();
    write.release();
    Check.that(other.write().tryAcquire(SLACK).isPresent(), "a writer after the release");
  }

  @Rule(value = "RW-4", shows = "a writer that comes back late")
  void lateWriter(Bench bench) throws Exception {
    for (Function<DistributedReadWriteLock, DistributedLock> side : SIDES) {
      String name = bench.name();
      LockManager manager = bench.site().open();
      Lease late = manager.readWriteLock(name, LockOptions.fixed(BRIEF)).write().acquire();
      Await.until("its lease ends", () -> !late.isValid());
      Lease successor = next(bench, side.apply(ReadWrites.of(bench.site().open(), name)), BRIEF);
      Check.fails(LeaseLostException.class, "a late release", late::release);
      checkHeld(bench, name, successor, "a late release");
    }
  }

  // Catches a release by the key alone.
  @Rule(value = "RW-4", shows = "a late writer's release", needs = Need.STORE)
  void lateRelease(Bench bench) throws Exception {
    for (Function<DistributedReadWriteLock, DistributedLock> side : SIDES) {
      String name = bench.name();
      LeaseStore writes = writes(bench);
      LeaseKey late = ReadWrites.dead(bench, writes, name, BRIEF);
      Lease successor = next(bench, side.apply(ReadWrites.of(bench.site().open(), name)), BRIEF);
      for (LeaseKey lease : List.of(late, bench.key(name))) {
        ReleaseResult answer = Await.value(writes.release(lease));
        Check.equal(ReleaseResult.NOT_OWNER, answer, "the answer to a release by another");
      }
      checkHeld(bench, name, successor, "a release by others");
    }
  }

  // Catches a renewal that looks whether there is a writer, and not whether it is this one.
  @Rule(value = "RW-4", shows = "a late writer's renewal", needs = Need.STORE)
  void lateRenewal(Bench bench) throws Exception {
    for (Function<DistributedReadWriteLock, DistributedLock> side : SIDES) {
      String name = bench.name();
      LeaseStore writes = writes(bench);
      LeaseKey late = ReadWrites.dead(bench, writes, name, BRIEF);
      LockManager manager = bench.site().open();
      next(bench, side.apply(manager.readWriteLock(name, LockOptions.fixed(BRIEF))), BRIEF);
      for (LeaseKey lease : List.of(late, bench.key(name))) {
        RenewResult answer = renewed(writes, lease);
        Check.equal(RenewResult.NOT_OWNER, answer, "the answer to a renewal by another");
      }
      // The successor is not released either: its lease must expire.
      DistributedReadWriteLock third = ReadWrites.of(bench.site().open(), name);
      Check.that(
          third.write().tryAcquire(bench.ended(BRIEF).plus(SLACK)).isPresent(),
          "the successor's lease was not extended");
    }
  }

  // Catches a release that compares by one command and deletes by the next.
  @Rule(
      value = "RW-4",
      shows = "a writer's release, held back between its commands",
      needs = {Need.STORE, Need.REDIS})
  void releaseInOneStep(Bench bench) throws Exception {
    for (int sent = 0; sent < Steps.MOST; sent++) {
      String name = bench.name();
      Steps steps = new Steps(bench);
      LeaseStore writes = ((ReadWriteStore) steps.site().store()).writes();
      LeaseKey late = ReadWrites.dead(bench, writes, name, BRIEF);
      CompletableFuture<ReleaseResult> release;
      Lease successor;
      try (ActiveFault held = steps.after(sent, CommandFault.holdRequest())) {
        release = writes.release(late).toCompletableFuture();
        Await.until("it is done or held back", () -> release.isDone() || held.hits() > 0);
        if (release.isDone()) {
          Check.that(sent > 0, "a release sends something");
          return;
        }
        DistributedReadWriteLock other = ReadWrites.of(bench.site().open(), name);
        successor = next(bench, other.write(), BRIEF);
      }
      Await.until("the release ends", release::isDone);
      checkHeld(bench, name, successor, "a release held back after " + sent + " commands");
    }
    throw new AssertionError("a release sends more than " + Steps.MOST + " commands");
  }
}
