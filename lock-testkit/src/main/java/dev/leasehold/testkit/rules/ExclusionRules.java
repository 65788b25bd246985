package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.AcquireResult;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Need;
import dev.leasehold.testkit.Rule;
import dev.leasehold.testkit.TimeScale;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.fault.Faults.Call;
import dev.leasehold.testkit.fault.Op;
import dev.leasehold.testkit.history.FaultModel;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.history.HistoryChecker;
import dev.leasehold.testkit.history.RecordedHold;
import dev.leasehold.testkit.view.ServerView;
import dev.leasehold.testkit.view.ServerView.Entry;
import dev.leasehold.testkit.worker.Contenders;
import dev.leasehold.testkit.worker.Lane;
import dev.leasehold.testkit.worker.Meeting;
import dev.leasehold.testkit.worker.Worker;
import dev.leasehold.testkit.worker.WorkerFailure;
import dev.leasehold.testkit.worker.WorkerLease;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

final class ExclusionRules extends Steps {
  private static final int THREADS_APART = 5_000;
  private static final Duration CONTENTION = TimeScale.millis(400);
  private static final int TOKENS = 64;

  /** 128 bits in base 64. */
  private static final int TOKEN_CHARACTERS = 22;

  private static final int TOKEN_BITS = 128;

  /** What a waiter may append to the holder's value. */
  private static final String MARK = "!";

  // ---- EX-1 ----

  @Rule(value = "EX-1", shows = "threads and managers contend")
  void noOverlapInOneProcess() throws Exception {
    List<LockManager> managers = List.of(open(), open());
    checkHistory(Contenders.run(managers, freshName(), LockOptions.fixed(LONG), 2, CONTENTION), 4);
  }

  @Rule(value = "EX-1", shows = "processes contend", needs = Need.PROCESSES)
  void noOverlapBetweenProcesses() throws Exception {
    LockOptions options = LockOptions.fixed(LONG);
    Worker worker = worker();
    // Equal thread ids in two processes are EX-3's subject: here no two holders share one.
    long here = Await.value(onThread(() -> Thread.currentThread().getId()));
    long there = worker.lane("contend").threadId();
    worker.laneWithThreadId(Math.max(here, there) + THREADS_APART).threadId();
    LockManager manager = open();
    // A new JVM is slow at first, and would start when this process has already finished.
    manager.lock(freshName(), options).acquire().release();
    worker.acquire(freshName(), options).release();
    Meeting meeting = Meeting.of(2);
    try {
      CompletableFuture<History> other =
          worker.lane("contend").contending(name, options, 2, CONTENTION, meeting);
      History mine = Contenders.run(List.of(manager), name, options, 2, CONTENTION, meeting);
      History history = mine.and(Await.value(other));
      checkHistory(history, 4);
      Check.that(isAtOneTime(history), "the processes contended at one time");
    } finally {
      meeting.end();
    }
  }

  /** Whether each process had its first hold before any process had its last. */
  private static boolean isAtOneTime(History history) {
    Map<String, LongSummaryStatistics> starts =
        HistoryChecker.holds(history).stream()
            .collect(
                Collectors.groupingBy(
                    RecordedHold::process, Collectors.summarizingLong(RecordedHold::start)));
    long latestFirst =
        starts.values().stream().mapToLong(LongSummaryStatistics::getMin).max().orElseThrow();
    return starts.values().stream().allMatch(all -> latestFirst <= all.getMax());
  }

  static void checkHistory(History history, int contenders) {
    HistoryChecker.check(history, FaultModel.inside()).assertClean();
    long holders =
        HistoryChecker.holds(history).stream()
            .map(hold -> hold.process() + "/" + hold.owner())
            .distinct()
            .count();
    Check.equal((long) contenders, holders, "the number of contenders that got the lock");
  }

  @Rule(value = "EX-1", shows = "requests for a held lock are refused")
  void refusedWhileHeld() throws Exception {
    LockManager holder = open();
    LockManager other = open();
    try (Lease lease = holder.lock(name).acquire()) {
      checkRefused(holder, "another thread of the same manager");
      checkRefused(other, "another manager");
      Check.that(lease.isValid(), "the holder's lease is valid after others were refused");
    }
    try (Lease lease = answered(() -> other.lock(name).tryAcquire()).orElseThrow()) {
      checkRefused(holder, "the one that had it before");
      Check.that(lease.isValid(), "the second holder's lease is valid");
    }
  }

  private void checkRefused(LockManager manager, String who) throws Exception {
    DistributedLock lock = manager.lock(name);
    Check.that(answered(() -> elsewhere(lock::tryAcquire)).isEmpty(), who + " is refused");
    Check.that(
        answered(() -> Await.value(lock.tryAcquireAsync(Duration.ZERO))).isEmpty(),
        who + " is refused when it asks asynchronously");
  }

  // ---- EX-2 ----

  @Rule("EX-2")
  void namesAreIndependent() throws Exception {
    LockManager manager = open();
    LockManager other = open();
    List<String> others = List.of(name + "2", name.substring(1), name + "{", "{" + name + "}");
    try (Lease lease = manager.lock(name).acquire()) {
      // A waiter for the held name must not block other names either.
      CompletableFuture<Lease> waiting = asking(other.lock(name));
      for (String free : others) {
        taken(
            manager.lock(free).tryAcquire(), "'" + free + "' is free while '" + name + "' is held");
        taken(other.lock(free).tryAcquire(), "'" + free + "' is free for the one that waits");
      }
      Check.that(!waiting.isDone() && lease.isValid(), "'" + name + "' is still held");
      waiting.cancel(true);
    }
  }

  // ---- EX-3 ----

  @Rule(value = "EX-3", needs = Need.PROCESSES)
  void equalThreadIds() {
    Worker first = worker();
    Worker second = worker();
    long id = Math.max(first.lane("x").threadId(), second.lane("x").threadId()) + 100;
    Lane one = first.laneWithThreadId(id);
    Lane two = second.laneWithThreadId(id);
    Check.equal(one.threadId(), two.threadId(), "the id of the second process's thread");
    WorkerLease held = one.acquire(name, LockOptions.fixed(LONG));
    Optional<WorkerLease> both = two.tryAcquire(name, LockOptions.fixed(LONG), Duration.ZERO);
    Check.that(both.isEmpty(), "a thread of the same id in another process is refused");
    Check.that(held.isValid(), "the first thread holds the lock");
    held.release();
    WorkerLease next = two.acquire(name, LockOptions.fixed(LONG));
    try {
      held.release(); // released twice: must not reach the other thread's hold
    } catch (WorkerFailure refused) {
      // also correct
    }
    Optional<WorkerLease> again = one.tryAcquire(name, LockOptions.fixed(LONG), Duration.ZERO);
    Check.that(again.isEmpty() && next.isValid(), "the second thread's hold is its own");
    next.release();
  }

  // ---- EX-4 ----

  @Rule(value = "EX-4", shows = "what the engine sends", needs = Need.STORE)
  void tokensAreFresh() throws Exception {
    Faults recorded = new Faults();
    LockManager manager = open(recorded);
    DistributedLock lock = manager.lock(freshName());
    for (int i = 0; i < TOKENS; i++) {
      lock.acquire().release();
    }
    List<String> tokens =
        recorded.calls().stream().filter(c -> c.op() == Op.ACQUIRE).map(Call::token).toList();
    Check.equal(TOKENS, new HashSet<>(tokens).size(), "the number of different tokens");
    byte[] ones = new byte[TOKEN_BITS / Byte.SIZE];
    byte[] zeros = new byte[TOKEN_BITS / Byte.SIZE];
    for (String token : tokens) {
      int from = token.indexOf(':') + 1;
      int to = Math.min(from + TOKEN_CHARACTERS, token.length()); // a store may have appended
      byte[] secret = Base64.getUrlDecoder().decode(token.substring(from, to));
      Check.equal(ones.length, secret.length, "the bytes of a token's secret");
      for (int i = 0; i < secret.length; i++) {
        ones[i] |= secret[i];
        zeros[i] |= (byte) ~secret[i];
      }
    }
    // No random bit has the same value in all 64 tokens: over all bits, the chance is 1 in 2^55.
    for (int i = 0; i < ones.length; i++) {
      Check.that(ones[i] == -1 && zeros[i] == -1, "each bit of byte " + i + " varies");
    }
  }

  @Rule(value = "EX-4", shows = "what the server stores", needs = Need.VIEW)
  void storedValuesAreFresh() throws Exception {
    ServerView view = view();
    List<LockManager> managers = List.of(open(), open());
    Set<String> values = new HashSet<>();
    for (int i = 0; i < TOKENS / 4; i++) {
      try (Lease lease = managers.get(i % 2).lock(name).acquire()) {
        String value = view.look(name).map(Entry::value).orElse("nothing");
        Check.that(
            value.length() >= TOKEN_CHARACTERS,
            "'" + value + "' has room for " + TOKEN_BITS + " random bits");
        Check.that(values.add(value), "'" + value + "' was not used for an earlier hold");
        Check.that(lease.isValid(), "the lease is valid while we look");
      }
    }
  }

  // ---- EX-5 ----

  @Rule(
      value = "EX-5",
      shows = "without waiting",
      needs = {Need.STORE, Need.VIEW, Need.CHANGES})
  void refusedWritesNothing() throws Exception {
    ServerView view = view();
    LeaseStore store = store();
    LockManager manager = open();
    hold(store, key(name), LONG);
    Entry before = view.look(name).orElseThrow();
    long changes = settled(view);
    for (int i = 0; i < 3; i++) {
      AcquireResult answer = ask(store, key(name), LONG.multipliedBy(2));
      Check.that(answer instanceof AcquireResult.Held, "another token is refused: " + answer);
      Check.that(manager.lock(name).tryAcquire().isEmpty(), "a manager is refused");
    }
    Check.equal(changes, view.changes().orElseThrow(), "the server's count of changes");
    Entry after = checkUntouched(before, view.look(name));
    Check.equal(before.value(), after.value(), "the holder's value");
  }

  /** The number of changes, once a quorum's last node has processed what it was sent. */
  private static long settled(ServerView view) {
    AtomicLong last = new AtomicLong(-1);
    Await.until(
        "the count of changes stands still",
        () -> {
          long before = last.getAndSet(view.changes().orElseThrow());
          Await.pass(TimeScale.millis(20));
          return before == last.get();
        });
    return last.get();
  }

  @Rule(
      value = "EX-5",
      shows = "after a wait",
      needs = {Need.STORE, Need.VIEW})
  void waitersLeaveNothing() throws Exception {
    ServerView view = view();
    LeaseStore store = store();
    LeaseKey first = key(name);
    hold(store, first, LONG);
    Await.value(store.release(first)); // by now the store knows what its server has
    LeaseKey holder = store.prepared(key(name));
    hold(store, holder, LONG);
    Entry before = view.look(name).orElseThrow();
    LockManager manager = open();
    DistributedLock lock = fixed(manager, name, LONG.multipliedBy(2));
    CompletableFuture<Lease> waiting = asking(lock);
    awaitWaiting(name, 1);
    checkUntouched(before, view.look(name));
    waiting.cancel(true);
    // Long enough for an answer on a busy machine: without one an attempt is not refused but fails.
    Check.that(lock.tryAcquire(TimeScale.millis(500)).isEmpty(), "a timed attempt is refused");
    Await.until("the line is empty", () -> view.hasWaiting(name, 0));
    checkUntouched(before, view.look(name));
    Await.value(store.release(holder));
    Check.that(view.look(name).isEmpty(), "nothing is left of the lock after its release");
  }

  /** A waiter may have marked the value. */
  private static Entry checkUntouched(Entry before, Optional<Entry> now) {
    Entry after = now.orElseThrow(() -> new AssertionError("the holder's lock is gone"));
    String value = after.value();
    Check.that(
        value.equals(before.value()) || value.equals(before.value() + MARK),
        "the holder's value is as it was, or marked: " + before.value() + ", " + value);
    Duration had = before.left();
    Duration has = after.left();
    Check.atMost(had, has, "the holder's time to live");
    Check.atLeast(had.minus(TimeScale.seconds(10)), has, "the holder's time to live");
    return after;
  }

  // ---- EX-6 ----

  @Rule("EX-6")
  void asynchronousOwnersAreTheirOwn() {
    DistributedLock lock = lock(freshName());
    Lease first = Await.value(lock.acquireAsync());
    CompletableFuture<Lease> second = asking(lock);
    Optional<Lease> third = Await.value(lock.tryAcquireAsync(Duration.ZERO));
    Check.that(third.isEmpty(), "a third acquisition from the thread is refused");
    Check.that(lock.tryAcquire().isEmpty(), "the thread itself is refused");
    Check.that(!second.isDone(), "a second acquisition from the thread waits");
    Check.equal(1, first.holdCount(), "the hold count of the first");
    Await.value(first.releaseAsync());
    Await.value(second).release();
  }
}
