package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.HandOver;
import dev.leasehold.lock.Lease;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The order of a read/write lock's holders: neither side starves, and tokens increase. */
final class ReadWriteTurnRules extends ReadWriteSteps {
  private static final Duration LONGEST = TimeScale.seconds(10);
  private static final Duration LONGEST_HOLD = TimeScale.millis(300);

  // One of two readers always reads: unless readers take turns with writers, there is never a
  // moment without a reader.
  @Rule(value = "RW-2", shows = "a writer beside readers of another process")
  void writer() throws Exception {
    writerGetsIn(apart());
  }

  @Rule(value = "RW-2", shows = "a writer beside readers that share a lease")
  void writerBesideSharing() throws Exception {
    writerGetsIn(sides());
  }

  private void writerGetsIn(DistributedReadWriteLock readers) throws Exception {
    Lease first = readers.read().acquire();
    Check.that(elsewhere(sides().write()::tryAcquire).isEmpty(), "a reader keeps writers out");
    first.release();
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Boolean> begun = new CompletableFuture<>();
    CompletableFuture<Void> reading = beside(() -> overlap(readers.read(), begun, done));
    Await.value(begun);
    Optional<Lease> write = Await.value(sides().write().tryAcquireAsync(LONGEST));
    done.set(true);
    taken(write, "a writer gets in beside readers that always overlap");
    Await.value(reading);
  }

  /**
   * Takes over from itself as two alternating owners, each acquiring before the other releases; if
   * the next one is refused for a while, there is a gap. A stall of the machine is no refusal.
   */
  private static void overlap(
      DistributedLock side, CompletableFuture<Boolean> begun, AtomicBoolean done) throws Exception {
    Lease mine = Await.value(side.acquireAsync());
    begun.complete(true);
    while (!done.get()) {
      Optional<Lease> next =
          answered(() -> Await.value(side.tryAcquireAsync(TimeScale.millis(300))));
      mine.release();
      mine = next.isPresent() ? next.get() : Await.value(side.acquireAsync());
      Await.pass(Duration.ofMillis(1));
    }
    mine.release();
  }

  // Each writer holds the lock until the other is in line: it is never free for a reader by chance.
  @Rule(value = "RW-2", shows = "a reader between writers", needs = Need.STORE)
  void reader() {
    AtomicBoolean done = new AtomicBoolean();
    Writer one = new Writer();
    Writer other = new Writer();
    List<CompletableFuture<Void>> writers =
        List.of(
            beside(() -> one.writeAgain(other, done)), beside(() -> other.writeAgain(one, done)));
    Await.until("there are writers", () -> one.refusals.get() + other.refusals.get() > 1);
    Optional<Lease> read = Await.value(sides().read().tryAcquireAsync(LONGEST));
    done.set(true);
    taken(read, "a reader gets in between writers");
    writers.forEach(Await::value);
  }

  private final class Writer {
    private final AtomicInteger refusals = new AtomicInteger();
    private final DistributedLock side =
        sides(open(new Faults(), b -> b.listener(refusals(refusals)))).write();

    void writeAgain(Writer other, AtomicBoolean done) throws InterruptedException {
      while (!done.get()) {
        Lease mine = side.acquire();
        // After its second refusal a writer has a place in the line, where there is one.
        int standing = other.refusals.get() + 2;
        long begun = System.nanoTime();
        while (other.refusals.get() < standing
            && !done.get()
            && since(begun).compareTo(LONGEST_HOLD) < 0) {
          Await.pass(Duration.ofMillis(1));
        }
        mine.release();
      }
    }
  }

  @Rule(
      value = "RW-2",
      shows = "a waiting writer that dies blocks readers only briefly",
      needs = Need.STORE)
  void deadWriter() throws Exception {
    DistributedReadWriteLock lock = apart();
    Lease held = lock.read().acquire();
    Faults faults = new Faults();
    CompletableFuture<Lease> write = asking(sides(open(faults)).write());
    Await.until("it waits", () -> faults.count(Op.ACQUIRE) >= 2);
    die(faults);
    Check.that(
        elsewhere(() -> lock.read().tryAcquire(TimeScale.seconds(4).plus(SLACK))).isPresent(),
        "a reader gets in behind a writer that died in the line");
    held.ensureValid();
    write.cancel(true);
  }

  @Rule(value = "RW-6", also = Guarantee.FENCING)
  void tokens() throws Exception {
    DistributedReadWriteLock one = apart();
    DistributedReadWriteLock other = sides();
    long write = 0;
    for (int round = 0; round < 4; round++) {
      DistributedReadWriteLock mine = round % 2 == 0 ? one : other;
      Lease writer = mine.write().acquire();
      long before = write;
      write = writer.fencingToken();
      Check.that(write > before, "a writer's is larger than all before: " + before + ", " + write);
      Lease beside = round == 3 ? mine.read().acquire() : null;
      writer.release();
      Lease first = other.read().acquire();
      Lease second = elsewhere(one.read()::acquire);
      long last = Math.max(first.fencingToken(), second.fencingToken());
      long least = Math.min(first.fencingToken(), second.fencingToken());
      if (beside != null) {
        least = Math.min(least, beside.fencingToken());
        last = Math.max(last, beside.fencingToken());
        beside.release();
      }
      Check.that(
          least > write, "a reader's is larger than the last writer's: " + write + ", " + least);
      first.release();
      second.release();
      write = last;
    }
  }

  @Rule(value = "RW-6", shows = "consecutive writers of one process", also = Guarantee.FENCING)
  void handedOver() throws Exception {
    HandOverCount count = new HandOverCount(this);
    DistributedReadWriteLock lock = sides(count.open(), new HandOver(100, Duration.ofSeconds(5)));
    List<Long> tokens = new ArrayList<>();
    Lease first = lock.write().acquire();
    List<CompletableFuture<Lease>> queue =
        Stream.generate(() -> asking(lock.write())).limit(3).toList();
    tokens.add(first.fencingToken());
    first.release();
    for (CompletableFuture<Lease> waiting : queue) {
      Lease next = Await.value(waiting);
      tokens.add(next.fencingToken());
      next.release();
    }
    count.awaitAny();
    crowd(
        4,
        i ->
            () -> {
              for (int round = 0; round < 3; round++) {
                Lease lease = lock.write().acquire();
                tokens.add(lease.fencingToken()); // guarded by the lock
                lease.release();
              }
              return true;
            });
    tokens.add(lock.read().acquire().fencingToken());
    for (int i = 1; i < tokens.size(); i++) {
      Check.that(tokens.get(i) > tokens.get(i - 1), "tokens increase: " + tokens);
    }
  }
}
