package dev.leasehold.testkit.rules;

import static dev.leasehold.testkit.rules.ReadWrites.BRIEF;
import static dev.leasehold.testkit.rules.ReadWrites.LONG;
import static dev.leasehold.testkit.rules.ReadWrites.RENEWED;
import static dev.leasehold.testkit.rules.ReadWrites.SLACK;

import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;

final class ReadWriteRules {
  // ---- RW-1 ----

  @Rule(value = "RW-1", shows = "each side against each")
  void sides(Bench bench) throws Exception {
    String name = bench.name();
    DistributedReadWriteLock one = ReadWrites.of(bench.site().open(), name);
    DistributedReadWriteLock other = ReadWrites.of(bench.site().open(), name);
    Lease read = one.read().acquire();
    Lease second = other.read().tryAcquire().orElseThrow();
    Check.that(other.read().tryAcquire().isPresent(), "a reader again, by re-entry");
    Check.that(
        bench.onThread(() -> one.write().tryAcquire()).get().isEmpty(), "no writer beside readers");
    read.release();
    Check.that(
        bench.onThread(() -> one.write().tryAcquire()).get().isEmpty(), "nor beside the last one");
    second.ensureValid();
  }

  @Rule(value = "RW-1", shows = "a writer is alone")
  void writerAlone(Bench bench) throws Exception {
    String name = bench.name();
    DistributedReadWriteLock one = ReadWrites.of(bench.site().open(), name);
    DistributedReadWriteLock other = ReadWrites.of(bench.site().open(), name);
    Lease write = one.write().acquire();
    Check.that(other.read().tryAcquire().isEmpty(), "no reader elsewhere");
    Check.that(other.write().tryAcquire().isEmpty(), "no second writer");
    Check.that(
        bench.onThread(() -> one.read().tryAcquire()).get().isEmpty(),
        "no reader on another thread");
    LockManager third = bench.site().open();
    third.readWriteLock(name);
    if (NameSpaces.canBeLockToo(third, name)) {
      bench.fixed(third, name, LONG).tryAcquire().orElseThrow().release();
    }
    write.release();
    Check.that(other.read().tryAcquire().isPresent(), "a reader after the writer");
  }

  @Rule(value = "RW-1", shows = "a crowd")
  void crowd(Bench bench) {
    String name = bench.name();
    List<LockManager> managers = List.of(bench.site().open(), bench.site().open());
    AtomicInteger readers = new AtomicInteger();
    AtomicInteger writers = new AtomicInteger();
    AtomicInteger wrong = new AtomicInteger();
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      boolean writes = i < 2;
      DistributedReadWriteLock mine = ReadWrites.of(managers.get(i % 2), name);
      all.add(
          bench.onThread(
              () -> {
                for (int round = 0; round < 6; round++) {
                  visit(mine, writes, readers, writers, wrong);
                }
                return true;
              }));
    }
    all.forEach(Await::value);
    Check.equal(0, wrong.get(), "how often a writer was not alone");
  }

  private static void visit(
      DistributedReadWriteLock lock,
      boolean writes,
      AtomicInteger readers,
      AtomicInteger writers,
      AtomicInteger wrong)
      throws InterruptedException {
    try (Lease lease = (writes ? lock.write() : lock.read()).acquire()) {
      int mine = (writes ? writers : readers).incrementAndGet();
      Thread.yield();
      boolean alone = writes ? mine == 1 && readers.get() == 0 : writers.get() == 0;
      wrong.addAndGet(alone ? 0 : 1);
      (writes ? writers : readers).decrementAndGet();
      lease.ensureValid();
    }
  }

  // ---- RW-3 ----

  @Rule(value = "RW-3", shows = "a writer takes the read side, then releases the write side")
  void downgrade(Bench bench) throws Exception {
    String name = bench.name();
    DistributedReadWriteLock mine = ReadWrites.of(bench.site().open(), name);
    DistributedReadWriteLock other = ReadWrites.of(bench.site().open(), name);
    Lease write = mine.write().acquire();
    Lease read = mine.read().acquire();
    Check.that(
        bench.onThread(() -> mine.read().tryAcquire()).get().isEmpty(),
        "another thread does not read beside the writer");
    write.release();
    read.ensureValid();
    Check.that(other.write().tryAcquire().isEmpty(), "no writer beside the reader that is left");
    Lease second = other.read().tryAcquire().orElseThrow();
    second.release();
    read.release();
    Check.that(
        bench.onThread(() -> other.write().tryAcquire(SLACK)).get().isPresent(),
        "a writer after both");
  }

  @Rule(value = "RW-3", shows = "a reader that requests the write side")
  void upgrade(Bench bench) throws Exception {
    String name = bench.name();
    LockManager manager = bench.site().open();
    DistributedReadWriteLock lock = ReadWrites.of(manager, name).as(LockOwner.named("reader"));
    Lease read = lock.read().acquire();
    Class<IllegalMonitorStateException> refusal = IllegalMonitorStateException.class;
    Check.fails(refusal, "acquire", () -> lock.write().acquire());
    Check.fails(refusal, "tryAcquire", () -> lock.write().tryAcquire());
    Check.fails(refusal, "a timed one", () -> lock.write().tryAcquire(LONG));
    CompletableFuture<Lease> asked = lock.write().acquireAsync().toCompletableFuture();
    Check.that(asked.isCompletedExceptionally(), "an asynchronous one fails at once");
    read.ensureValid();
    read.release();
    lock.write().acquire().release();
  }

  @Rule(value = "RW-3", shows = "each side re-enters, also while a writer waits")
  void reentry(Bench bench) throws Exception {
    String name = bench.name();
    DistributedReadWriteLock mine = ReadWrites.of(bench.site().open(), name);
    DistributedReadWriteLock other = ReadWrites.of(bench.site().open(), name);
    Lease outer = mine.read().acquire();
    CompletableFuture<Lease> waits = other.write().acquireAsync().toCompletableFuture();
    Await.pass(BRIEF);
    Lease inner = mine.read().tryAcquire().orElseThrow();
    Check.equal(2, inner.holdCount(), "holds of the reader");
    outer.release();
    inner.ensureValid();
    Check.that(!waits.isDone(), "the writer waits for the last one");
    inner.release();
    Lease write = Await.value(waits);
    write.release();
  }

  // Catches a reader that is counted twice because its owner asked twice: one hold is never
  // released.
  @Rule(value = "RW-3", shows = "two requests of one owner behind another reader")
  void askedTwice(Bench bench) throws Exception {
    String name = bench.name();
    DistributedReadWriteLock other = ReadWrites.of(bench.site().open(), name);
    // Automatic leases: a reader with a fixed lease joins only if all of its time is left.
    DistributedReadWriteLock mine = ReadWrites.with(bench.site().open(), name, HandOver.defaults());
    Lease write = other.write().acquire();
    List<CompletableFuture<Lease>> reads = new ArrayList<>();
    reads.add(mine.read().as(LockOwner.named("first")).acquireAsync().toCompletableFuture());
    LockOwner twice = LockOwner.named("asks twice");
    reads.add(mine.read().as(twice).acquireAsync().toCompletableFuture());
    reads.add(mine.read().as(twice).acquireAsync().toCompletableFuture());
    write.release();
    reads.forEach(read -> Await.value(read).release());
    Check.that(other.write().tryAcquire(SLACK).isPresent(), "a writer after all of them");
  }

  @Rule(value = "RW-3", shows = "as in java.util.concurrent")
  void view(Bench bench) throws Exception {
    String name = bench.name();
    ReadWriteLock lock = ReadWrites.of(bench.site().open(), name).asReadWriteLock();
    ReadWriteLock other = ReadWrites.of(bench.site().open(), name).asReadWriteLock();
    lock.writeLock().lock();
    lock.readLock().lock();
    lock.writeLock().unlock();
    Check.that(!other.writeLock().tryLock(), "no writer beside a reader");
    Check.that(other.readLock().tryLock(), "a reader beside a reader");
    other.readLock().unlock();
    Check.fails(
        IllegalMonitorStateException.class, "a reader writes", () -> lock.writeLock().lock());
    lock.readLock().unlock();
    Check.fails(
        IllegalMonitorStateException.class, "once too often", () -> lock.readLock().unlock());
    Check.that(other.writeLock().tryLock(), "a writer after the readers");
    other.writeLock().unlock();
  }

  // ---- RW-5 ----

  @Rule(value = "RW-5", shows = "a joining reader makes no call", needs = Need.STORE)
  void joins(Bench bench) throws Exception {
    Faults faults = new Faults();
    HandOver run = new HandOver(100, TimeScale.seconds(20));
    DistributedReadWriteLock lock = ReadWrites.with(bench.site().open(faults), bench.name(), run);
    List<Lease> leases = readers(bench, lock, 5);
    Check.equal(1, faults.count(Op.ACQUIRE), "questions of five readers");
    for (Lease lease : leases.subList(0, 4)) {
      lease.release();
    }
    Check.equal(0, faults.count(Op.RELEASE), "releases before the last reader's");
    leases.get(4).ensureValid();
    leases.get(4).release();
    Check.equal(1, faults.count(Op.RELEASE), "releases after it");
  }

  @Rule(value = "RW-5", shows = "also when the manager closes", needs = Need.STORE)
  void closing(Bench bench) throws Exception {
    String name = bench.name();
    Faults faults = new Faults();
    LockManager manager =
        bench.site().open(faults, builder -> builder.closeGrace(TimeScale.seconds(20)));
    DistributedReadWriteLock lock =
        ReadWrites.with(manager, name, new HandOver(100, TimeScale.seconds(20)));
    List<Lease> leases = readers(bench, lock, 2);
    CompletableFuture<Boolean> closed =
        bench.onThread(
            () -> {
              manager.close();
              return true;
            });
    Await.until("both are signalled as lost", () -> leases.stream().noneMatch(Lease::isValid));
    Check.fails(LeaseLostException.class, "the first", () -> leases.get(0).release());
    DistributedReadWriteLock other = ReadWrites.of(bench.site().open(), name);
    Check.that(other.write().tryAcquire().isEmpty(), "no writer under the second's code");
    Check.fails(LeaseLostException.class, "the second", () -> leases.get(1).release());
    Await.value(closed);
    Check.that(other.write().tryAcquire().isPresent(), "a writer after both");
  }

  @Rule(value = "RW-5", shows = "the run has an end", needs = Need.STORE)
  void runs(Bench bench) throws Exception {
    Faults faults = new Faults();
    HandOver run = new HandOver(2, TimeScale.seconds(20));
    DistributedReadWriteLock lock = ReadWrites.with(bench.site().open(faults), bench.name(), run);
    List<Lease> leases = readers(bench, lock, 4);
    Check.equal(2, faults.count(Op.ACQUIRE), "questions: one for three, and the next");
    leases.forEach(Lease::release);
    Check.equal(2, faults.count(Op.RELEASE), "releases of two leases");
  }

  private static List<Lease> readers(Bench bench, DistributedReadWriteLock lock, int readers)
      throws Exception {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < readers; i++) {
      leases.add(bench.onThread(() -> lock.read().acquire()).get());
    }
    return leases;
  }

  @Rule(value = "RW-5", shows = "a fixed reader keeps its own deadline", timed = true)
  void fixed(Bench bench) throws Exception {
    String name = bench.name();
    LockManager manager = bench.site().open();
    Lease renewed =
        manager
            .readWriteLock(name, LockOptions.builder().automaticLease(RENEWED).build())
            .read()
            .acquire();
    DistributedReadWriteLock brief = manager.readWriteLock(name, LockOptions.fixed(BRIEF));
    Lease fixed = bench.onThread(() -> brief.read().acquire()).get();
    Check.atMost(BRIEF, fixed.remaining(), "what is left of the fixed one");
    Await.until("the fixed one ends", () -> !fixed.isValid());
    renewed.ensureValid();
    renewed.release();
  }
}
