package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockOwner;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.stream.Stream;

final class ReadWriteRules extends ReadWriteSteps {
  // ---- RW-1 ----

  @Rule(value = "RW-1", shows = "each side against each")
  void eachAgainstEach() throws Exception {
    DistributedReadWriteLock one = sides();
    DistributedReadWriteLock other = sides();
    Lease read = one.read().acquire();
    Lease second = other.read().tryAcquire().orElseThrow();
    Check.that(other.read().tryAcquire().isPresent(), "a reader again, by re-entry");
    Check.that(elsewhere(one.write()::tryAcquire).isEmpty(), "no writer beside readers");
    read.release();
    Check.that(elsewhere(one.write()::tryAcquire).isEmpty(), "nor beside the last one");
    second.ensureValid();
  }

  @Rule(value = "RW-1", shows = "a writer is alone")
  void writerAlone() throws Exception {
    DistributedReadWriteLock one = sides();
    DistributedReadWriteLock other = sides();
    Lease write = one.write().acquire();
    Check.that(other.read().tryAcquire().isEmpty(), "no reader elsewhere");
    Check.that(other.write().tryAcquire().isEmpty(), "no second writer");
    Check.that(elsewhere(one.read()::tryAcquire).isEmpty(), "no reader on another thread");
    LockManager third = open();
    third.readWriteLock(name);
    if (canBeLockToo(third, name)) {
      fixed(third, name, HELD).tryAcquire().orElseThrow().release();
    }
    write.release();
    Check.that(other.read().tryAcquire().isPresent(), "a reader after the writer");
  }

  @Rule(value = "RW-1", shows = "a crowd")
  void crowd() {
    List<LockManager> managers = List.of(open(), open());
    AtomicInteger readers = new AtomicInteger();
    AtomicInteger writers = new AtomicInteger();
    AtomicInteger wrong = new AtomicInteger();
    crowd(
        8,
        i -> {
          DistributedReadWriteLock mine = sides(managers.get(i % 2));
          return () -> {
            for (int round = 0; round < 6; round++) {
              visit(mine, i < 2, readers, writers, wrong);
            }
            return true;
          };
        });
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
      stay();
      boolean alone = writes ? mine == 1 && readers.get() == 0 : writers.get() == 0;
      wrong.addAndGet(alone ? 0 : 1);
      (writes ? writers : readers).decrementAndGet();
      lease.ensureValid();
    }
  }

  // ---- RW-3 ----

  @Rule(value = "RW-3", shows = "a writer takes the read side, then releases the write side")
  void downgrade() throws Exception {
    DistributedReadWriteLock mine = sides();
    DistributedReadWriteLock other = sides();
    Lease write = mine.write().acquire();
    Lease read = mine.read().acquire();
    Check.that(
        elsewhere(mine.read()::tryAcquire).isEmpty(),
        "another thread does not read beside the writer");
    write.release();
    read.ensureValid();
    Check.that(other.write().tryAcquire().isEmpty(), "no writer beside the reader that is left");
    other.read().tryAcquire().orElseThrow().release();
    read.release();
    Check.that(elsewhere(() -> other.write().tryAcquire(SLACK)).isPresent(), "a writer after both");
  }

  @Rule(value = "RW-3", shows = "a reader that requests the write side")
  void upgrade() throws Exception {
    LockManager manager = open();
    DistributedReadWriteLock lock = sides(manager).as(LockOwner.unique("reader"));
    Lease read = lock.read().acquire();
    Class<IllegalMonitorStateException> refusal = IllegalMonitorStateException.class;
    Check.fails(refusal, "acquire", () -> lock.write().acquire());
    Check.fails(refusal, "tryAcquire", () -> lock.write().tryAcquire());
    Check.fails(refusal, "a timed one", () -> lock.write().tryAcquire(HELD));
    CompletableFuture<Lease> asked = asking(lock.write());
    Check.that(asked.isCompletedExceptionally(), "an asynchronous one fails at once");
    read.ensureValid();
    read.release();
    lock.write().acquire().release();
  }

  @Rule(value = "RW-3", shows = "each side re-enters, also while a writer waits")
  void reentry() throws Exception {
    DistributedReadWriteLock mine = sides();
    Lease outer = mine.read().acquire();
    CompletableFuture<Lease> waits = asking(sides().write());
    Await.pass(BRIEF);
    Lease inner = mine.read().tryAcquire().orElseThrow();
    Check.equal(2, inner.holdCount(), "holds of the reader");
    outer.release();
    inner.ensureValid();
    Check.that(!waits.isDone(), "the writer waits for the last one");
    inner.release();
    Await.value(waits).release();
  }

  // Catches a reader that is counted twice because its owner asked twice: one hold is never
  // released.
  @Rule(value = "RW-3", shows = "two requests of one owner behind another reader")
  void askedTwice() throws Exception {
    DistributedReadWriteLock other = sides();
    // Automatic leases: a reader with a fixed lease joins only if all of its time is left.
    DistributedLock mine = sides(open(), HandOver.defaults()).read();
    Lease write = other.write().acquire();
    LockOwner twice = LockOwner.unique("asks twice");
    List<CompletableFuture<Lease>> reads =
        Stream.of(LockOwner.unique("first"), twice, twice).map(o -> asking(mine.as(o))).toList();
    write.release();
    reads.forEach(read -> Await.value(read).release());
    Check.that(other.write().tryAcquire(SLACK).isPresent(), "a writer after all of them");
  }

  @Rule(value = "RW-3", shows = "as in java.util.concurrent")
  void asInTheJdk() throws Exception {
    ReadWriteLock lock = sides().asReadWriteLock();
    ReadWriteLock other = sides().asReadWriteLock();
    lock.writeLock().lock();
    lock.readLock().lock();
    lock.writeLock().unlock();
    Check.that(!other.writeLock().tryLock(), "no writer beside a reader");
    Check.that(other.readLock().tryLock(), "a reader beside a reader");
    other.readLock().unlock();
    Class<IllegalMonitorStateException> refusal = IllegalMonitorStateException.class;
    Check.fails(refusal, "a reader writes", () -> lock.writeLock().lock());
    lock.readLock().unlock();
    Check.fails(refusal, "once too often", () -> lock.readLock().unlock());
    Check.that(other.writeLock().tryLock(), "a writer after the readers");
    other.writeLock().unlock();
  }

  // ---- RW-5 ----

  @Rule(value = "RW-5", shows = "a joining reader makes no call", needs = Need.STORE)
  void joins() {
    Faults faults = new Faults();
    List<Lease> leases = readers(open(faults), 100, 5);
    Check.equal(1, faults.count(Op.ACQUIRE), "questions of five readers");
    leases.subList(0, 4).forEach(Lease::release);
    Check.equal(0, faults.count(Op.RELEASE), "releases before the last reader's");
    leases.get(4).ensureValid();
    leases.get(4).release();
    Check.equal(1, faults.count(Op.RELEASE), "releases after it");
  }

  /** Readers on as many threads, of which a limited number of others may join each. */
  private List<Lease> readers(LockManager manager, int joining, int readers) {
    DistributedLock read = sides(manager, new HandOver(joining, TimeScale.seconds(20))).read();
    return Stream.generate(() -> elsewhere(read::acquire)).limit(readers).toList();
  }

  @Rule(value = "RW-5", shows = "also when the manager closes", needs = Need.STORE)
  void closing() {
    LockManager manager = open(new Faults(), builder -> builder.closeGrace(TimeScale.seconds(20)));
    List<Lease> leases = readers(manager, 100, 2);
    CompletableFuture<Void> closed = beside(manager::close);
    Await.until("both are signalled as lost", () -> leases.stream().noneMatch(Lease::isValid));
    Check.fails(LeaseLostException.class, "the first", () -> leases.get(0).release());
    DistributedReadWriteLock other = sides();
    Check.that(other.write().tryAcquire().isEmpty(), "no writer under the second's code");
    Check.fails(LeaseLostException.class, "the second", () -> leases.get(1).release());
    Await.value(closed);
    Check.that(other.write().tryAcquire().isPresent(), "a writer after both");
  }

  @Rule(value = "RW-5", shows = "the run has an end", needs = Need.STORE)
  void runs() {
    Faults faults = new Faults();
    List<Lease> leases = readers(open(faults), 2, 4);
    Check.equal(2, faults.count(Op.ACQUIRE), "questions: one for three, and the next");
    leases.forEach(Lease::release);
    Check.equal(2, faults.count(Op.RELEASE), "releases of two leases");
  }

  @Rule(value = "RW-5", shows = "a fixed reader keeps its own deadline", timed = true)
  void fixedReader() throws Exception {
    LockManager manager = open();
    Lease renewed = sides(manager, renewed(RENEWED)).read().acquire();
    DistributedReadWriteLock brief = sides(manager, LockOptions.fixed(BRIEF));
    Lease fixed = elsewhere(brief.read()::acquire);
    Check.atMost(BRIEF, fixed.remaining(), "what is left of the fixed one");
    Await.until("the fixed one ends", () -> !fixed.isValid());
    renewed.ensureValid();
    renewed.release();
  }
}
