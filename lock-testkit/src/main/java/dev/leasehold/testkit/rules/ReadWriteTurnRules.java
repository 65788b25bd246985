package dev.leasehold.testkit.rules;

import static dev.leasehold.testkit.rules.ReadWrites.SLACK;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.DistributedReadWriteLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.fault.StoreFault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Checks that neither side of a read/write lock starves. */
final class ReadWriteTurnRules {
  private static final Duration LONGEST = TimeScale.seconds(10);

  // One of two readers always reads: unless readers take turns with writers, there is never a
  // moment without a reader.
  @Rule(value = "RW-2", shows = "a writer beside readers of another process")
  void writer(Bench bench) {
    String name = bench.name();
    DistributedReadWriteLock readers = ReadWrites.apart(bench.site().open(), name);
    writerGetsIn(bench, name, readers);
  }

  @Rule(value = "RW-2", shows = "a writer beside readers that share a lease")
  void writerBesideSharing(Bench bench) {
    String name = bench.name();
    writerGetsIn(bench, name, ReadWrites.of(bench.site().open(), name));
  }

  private static void writerGetsIn(Bench bench, String name, DistributedReadWriteLock readers) {
    AtomicBoolean done = new AtomicBoolean();
    CompletableFuture<Boolean> begun = new CompletableFuture<>();
    CompletableFuture<Boolean> reading = bench.onThread(() -> overlap(readers.read(), begun, done));
    Await.value(begun);
    DistributedReadWriteLock writer = ReadWrites.of(bench.site().open(), name);
    Optional<Lease> write = Await.value(writer.write().tryAcquireAsync(LONGEST));
    done.set(true);
    write.ifPresent(Lease::release);
    Check.that(write.isPresent(), "a writer gets in beside readers that always overlap");
    Await.value(reading);
  }

  /**
   * Takes over from itself as two alternating owners, each acquiring before the other releases; if
   * the next one is refused for a while, there is a gap.
   */
  private static boolean overlap(
      DistributedLock side, CompletableFuture<Boolean> begun, AtomicBoolean done)
      throws InterruptedException {
    Lease mine = Await.value(side.acquireAsync());
    begun.complete(true);
    while (!done.get()) {
      Optional<Lease> next = Await.value(side.tryAcquireAsync(TimeScale.millis(300)));
      mine.release();
      mine = next.isPresent() ? next.get() : Await.value(side.acquireAsync());
      Await.pass(Duration.ofMillis(1));
    }
    mine.release();
    return true;
  }

  // Each writer holds the lock until the other is in line: it is never free for a reader by chance.
  @Rule(value = "RW-2", shows = "a reader between writers", needs = Need.STORE)
  void reader(Bench bench) {
    String name = bench.name();
    AtomicBoolean done = new AtomicBoolean();
    Writer one = new Writer(bench, name);
    Writer other = new Writer(bench, name);
    List<CompletableFuture<Boolean>> writers =
        List.of(
            bench.onThread(() -> one.writeAgain(other, done)),
            bench.onThread(() -> other.writeAgain(one, done)));
    DistributedReadWriteLock reader = ReadWrites.of(bench.site().open(), name);
    Await.until("there are writers", () -> one.refusals.get() + other.refusals.get() > 1);
    Optional<Lease> read = Await.value(reader.read().tryAcquireAsync(LONGEST));
    done.set(true);
    read.ifPresent(Lease::release);
    Check.that(read.isPresent(), "a reader gets in between writers");
    writers.forEach(Await::value);
  }

  private static final class Writer {
    private static final Duration LONGEST_HOLD = TimeScale.millis(300);

    private final AtomicInteger refusals = new AtomicInteger();
    private final DistributedLock side;

    Writer(Bench bench, String name) {
      LockManager manager = bench.site().open(new Faults(), b -> b.listener(this::hears));
      side = ReadWrites.of(manager, name).write();
    }

    private void hears(LockEvent event) {
      if (event instanceof LockEvent.Contended) {
        refusals.incrementAndGet();
      }
    }

    boolean writeAgain(Writer other, AtomicBoolean done) throws InterruptedException {
      while (!done.get()) {
        Lease mine = side.acquire();
        // After its second refusal a writer has a place in the line, where there is one.
        int standing = other.refusals.get() + 2;
        long begun = System.nanoTime();
        while (other.refusals.get() < standing
            && !done.get()
            && System.nanoTime() - begun < LONGEST_HOLD.toNanos()) {
          Await.pass(Duration.ofMillis(1));
        }
        mine.release();
      }
      return true;
    }
  }

  @Rule(
      value = "RW-2",
      shows = "a waiting writer that dies blocks readers only briefly",
      needs = Need.STORE)
  void deadWriter(Bench bench) throws Exception {
    String name = bench.name();
    DistributedReadWriteLock lock = ReadWrites.apart(bench.site().open(), name);
    Lease held = lock.read().acquire();
    Faults faults = new Faults();
    LockManager dying = bench.site().open(faults);
    CompletableFuture<Lease> write =
        ReadWrites.of(dying, name).write().acquireAsync().toCompletableFuture();
    Await.until("it waits", () -> faults.count(Op.ACQUIRE) >= 2);
    for (Op op : Op.values()) {
      faults.every(op, StoreFault.callLost());
    }
    Optional<Lease> next =
        bench.onThread(() -> lock.read().tryAcquire(TimeScale.seconds(4).plus(SLACK))).get();
    Check.that(next.isPresent(), "a reader gets in behind a writer that died in the line");
    held.ensureValid();
    write.cancel(true);
  }
}
