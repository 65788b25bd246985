package dev.leasehold.memory;

import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.lock.spi.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Locks in memory, for tests of code that uses locks: the whole API, no server, and time that the
 * test moves.
 *
 * <pre>{@code
 * try (MemoryLocks memory = MemoryLocks.inManualTime()) {
 *   LockManager mine = memory.manager();
 *   LockManager theirs = memory.manager();               // another process, as it were
 *   Lease lease = mine.lock("invoice").acquire();
 *   memory.advance(Duration.ofHours(1));                 // renewed a few hundred times
 *   memory.crash(mine);
 *   memory.advance(Duration.ofSeconds(30));              // its lease is over
 *   theirs.lock("invoice").tryAcquire().orElseThrow();
 * }
 * }</pre>
 *
 * <p>All managers of one memory contend with one another, and with nobody else. What they promise
 * is what those of {@code redis-set} do: fencing tokens, wake-ups, turns, several locks in one
 * step, minimum holds, read/write locks, semaphores and latches. Nothing outlives the JVM, so these
 * are no locks for production.
 *
 * <p><b>Manual time</b> stands still but for {@link #advance}. What comes due meanwhile happens on
 * the way, one after the other, and has ended, callbacks included, when {@code advance} returns. A
 * thread that waits with a time-out waits until another one moves the time: prefer the asynchronous
 * form, or wait without one. Thread-safe.
 */
public final class MemoryLocks implements AutoCloseable {
  private static final Map<String, MemoryLocks> SHARED = new ConcurrentHashMap<>();
  private static final long PATIENCE = Duration.ofSeconds(10).toNanos();

  private final Memory memory;
  private final @Nullable Workers workers;
  private final @Nullable ManualTime time;
  private final Map<LockManager, MemoryProcess> processes = new ConcurrentHashMap<>();
  private final List<LockManager> managers = new CopyOnWriteArrayList<>();

  private MemoryLocks(@Nullable Workers workers, @Nullable ManualTime time) {
    this.workers = workers;
    this.time = time;
    this.memory = new Memory(time == null ? Ticker.system() : time);
  }

  /** By the machine's clock. */
  public static MemoryLocks inRealTime() {
    return new MemoryLocks(null, null);
  }

  /** By a clock that goes on when the test says so. */
  public static MemoryLocks inManualTime() {
    Workers workers = new Workers();
    return new MemoryLocks(workers, new ManualTime(workers));
  }

  /**
   * The memory that managers share which are opened with {@code lock.backend = memory} and this
   * {@code lock.memory.name}: the one that was {@linkplain #shareAs shared} under it, or one in
   * real time that is made now.
   */
  public static MemoryLocks shared(String name) {
    return SHARED.computeIfAbsent(Objects.requireNonNull(name, "name"), n -> inRealTime());
  }

  /**
   * From now on managers opened with {@code lock.backend = memory} and this {@code
   * lock.memory.name} are on this memory; until it is closed.
   *
   * @return this
   * @throws IllegalStateException if another memory has the name
   */
  public MemoryLocks shareAs(String name) {
    if (SHARED.putIfAbsent(Objects.requireNonNull(name, "name"), this) != null) {
      throw new IllegalStateException(
          "another memory is shared as '" + name + "': close that one first");
    }
    return this;
  }

  // ---- managers ----

  /** A manager of its own, as in a process of its own. Closed with this memory, if not before. */
  public LockManager manager() {
    return manager(builder -> builder);
  }

  /** The same with other defaults: of options, time-outs, listeners. */
  public LockManager manager(UnaryOperator<LockManager.Builder> tuning) {
    MemoryProcess process = new MemoryProcess(memory);
    LockManager.Builder builder = LockManager.over(process.store());
    if (time != null && workers != null) {
      builder = process.manual(builder, time, workers).closeGrace(Duration.ZERO);
    }
    LockManager made = tuning.apply(builder).build();
    processes.put(made, process);
    managers.add(made);
    return made;
  }

  /** A store on this memory, for an engine put together by hand; it goes by this memory's clock. */
  public LeaseStore store() {
    return new MemoryStore(memory, Runnable::run);
  }

  /** This memory's clock. */
  public Ticker ticker() {
    return memory.ticker;
  }

  // ---- time ----

  /**
   * Lets time go by. Leases are renewed, expire and are told of as they would be meanwhile, in the
   * order of their times.
   *
   * @throws IllegalStateException if this memory goes by the machine's clock, or if called by what
   *     time itself set off: a callback
   * @throws IllegalArgumentException if negative
   */
  public void advance(Duration span) {
    if (span.isNegative()) {
      throw new IllegalArgumentException("time does not go back, by " + span + " or otherwise");
    }
    manual().advance(span);
  }

  private ManualTime manual() {
    if (time == null) {
      throw new IllegalStateException(
          "this memory goes by the machine's clock: MemoryLocks.inManualTime() has one to move");
    }
    return time;
  }

  // ---- what goes wrong ----

  /**
   * The next call of this kind, whoever makes it, goes wrong; called again, the one after it too.
   */
  public void failNext(Call call, Fault fault) {
    Objects.requireNonNull(call, "call");
    Objects.requireNonNull(fault, "fault");
    memory.locked(
        () -> {
          memory.faults.next(call, fault);
          return fault;
        });
  }

  /** All calls go wrong, until {@link #heal()}. */
  public void fail(Fault fault) {
    Objects.requireNonNull(fault, "fault");
    memory.locked(
        () -> {
          memory.faults.all(fault);
          return fault;
        });
  }

  /** No call goes wrong any more. */
  public void heal() {
    memory.locked(
        () -> {
          memory.faults.none();
          return memory;
        });
  }

  /**
   * Takes whatever is held of a name away, of any kind, as if somebody had deleted the key. Its
   * holders learn of it by their next renewal, a third of a lease later at most, and waiters when
   * they look next.
   *
   * @return whether anything was held
   */
  public boolean takeAway(String name) {
    return memory.sum(name, cell -> cell.takeAway() ? 1 : 0) > 0;
  }

  /**
   * A manager's process ends, without a word: its leases go on until they are over, nothing renews
   * them, and what its threads still call fails.
   *
   * @throws IllegalArgumentException if the manager is not one of this memory
   */
  public void crash(LockManager manager) {
    process(manager).crash();
  }

  /**
   * A manager's process stands still, as in a long garbage collection: time goes by, and nothing is
   * renewed, noticed or told. In manual time only.
   *
   * @throws IllegalArgumentException if the manager is not one of this memory
   */
  public void pause(LockManager manager) {
    manual();
    process(manager).pause();
  }

  /** It goes on, and what was due happens now. */
  public void resume(LockManager manager) {
    process(manager).resume();
    advance(Duration.ZERO);
  }

  private MemoryProcess process(LockManager manager) {
    MemoryProcess process = processes.get(Objects.requireNonNull(manager, "manager"));
    if (process == null) {
      throw new IllegalArgumentException(manager + " is no manager of this memory");
    }
    return process;
  }

  // ---- what is there ----

  /** How many requests, one for each process and lock at most, stand in a name's line. */
  public int waiting(String name) {
    return memory.waiting(name);
  }

  /**
   * Waits, by the machine's clock, until exactly so many stand in a name's line: for tests whose
   * other threads have to wait for a lock before the test goes on.
   *
   * @throws IllegalStateException if that does not come about within 10 s
   */
  public void awaitWaiting(String name, int number) throws InterruptedException {
    if (!memory.awaitWaiting(name, number, PATIENCE)) {
      throw new IllegalStateException(
          waiting(name) + " wait for '" + name + "', and not " + number + ", after 10 s");
    }
  }

  /** For the conformance suite, which looks behind a store's back. */
  Memory memory() {
    return memory;
  }

  /** Closes its managers. Leases that are held are told as lost. */
  @Override
  public void close() {
    SHARED.values().removeIf(shared -> shared == this);
    heal();
    managers.forEach(LockManager::close);
    managers.clear();
    processes.clear();
    if (workers != null) {
      workers.close();
    }
  }

  @Override
  public String toString() {
    return "memory of " + managers.size() + " managers";
  }
}
