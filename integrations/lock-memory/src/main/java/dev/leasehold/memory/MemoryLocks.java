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
 * Locks in memory, for tests of code that uses locks: the whole API, without a server, and with
 * time controlled by the test.
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
 * <p>All managers of one memory contend with each other and with no others. They make the same
 * promises as those of {@code redis-set}: fencing tokens, wake-ups, turns, several locks in one
 * step, minimum holds, read/write locks, semaphores and latches. The locks exist only within the
 * JVM, so they are not for production.
 *
 * <p><b>Manual time</b> passes only by {@link #advance}. Events that fall due in that span happen
 * in order, and have finished, including callbacks, when {@code advance} returns. A thread that
 * waits with a time-out waits until another thread advances the time: prefer the asynchronous form,
 * or wait without a time-out. Thread-safe.
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

  /** Creates a memory that uses the machine's clock. */
  public static MemoryLocks inRealTime() {
    return new MemoryLocks(null, null);
  }

  /** Creates a memory whose clock only the test advances. */
  public static MemoryLocks inManualTime() {
    Workers workers = new Workers();
    return new MemoryLocks(workers, new ManualTime(workers));
  }

  /**
   * The memory shared by managers that are opened with {@code lock.backend = memory} and this
   * {@code lock.memory.name}: the one {@linkplain #shareAs shared} under that name, or else a new
   * one in real time.
   */
  public static MemoryLocks shared(String name) {
    return SHARED.computeIfAbsent(Objects.requireNonNull(name, "name"), n -> inRealTime());
  }

  /**
   * Makes managers opened with {@code lock.backend = memory} and this {@code lock.memory.name} use
   * this memory, until it is closed.
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

  /**
   * Creates a manager that behaves like a separate process. Closed with this memory, if not
   * earlier.
   */
  public LockManager manager() {
    return manager(builder -> builder);
  }

  /** As {@link #manager()}, with changes to the builder: options, time-outs, listeners. */
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

  /**
   * A store on this memory, which uses this memory's clock, for an engine built with {@link
   * LockManager#over}.
   */
  public LeaseStore store() {
    return new MemoryStore(memory, Runnable::run);
  }

  /** This memory's clock. */
  public Ticker ticker() {
    return memory.ticker;
  }

  // ---- time ----

  /**
   * Advances the time. Renewals, expiries and notifications that fall due in this span happen in
   * the order of their times.
   *
   * @throws IllegalStateException if this memory uses the machine's clock, or if called from a
   *     callback that {@code advance} itself triggered
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

  // ---- faults ----

  /**
   * Makes the next call of this kind, by any manager, fail; each further invocation adds one more
   * failing call.
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

  /** Makes all calls fail until {@link #heal()}. */
  public void fail(Fault fault) {
    Objects.requireNonNull(fault, "fault");
    memory.locked(
        () -> {
          memory.faults.all(fault);
          return fault;
        });
  }

  /** Removes all faults. */
  public void heal() {
    memory.locked(
        () -> {
          memory.faults.none();
          return memory;
        });
  }

  /**
   * Removes all holds of a name, of any kind, as if its key had been deleted. Holders learn of it
   * at their next renewal, at most a third of a lease later, and waiters at their next request.
   *
   * @return whether anything was held
   */
  public boolean takeAway(String name) {
    return memory.sum(name, state -> state.takeAway() ? 1 : 0) > 0;
  }

  /**
   * Simulates the crash of a manager's process: its leases last until they expire and are not
   * renewed, and further calls by its threads fail.
   *
   * @throws IllegalArgumentException if the manager is not one of this memory
   */
  public void crash(LockManager manager) {
    process(manager).crash();
  }

  /**
   * Simulates a pause of a manager's process, as by a long garbage collection: time passes, but the
   * manager renews, detects and signals nothing. In manual time only.
   *
   * @throws IllegalArgumentException if the manager is not one of this memory
   */
  public void pause(LockManager manager) {
    manual();
    process(manager).pause();
  }

  /** Ends a pause: everything that fell due in the meantime happens now. */
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

  // ---- inspection ----

  /** The number of requests in a name's queue, at most one per process and lock. */
  public int waiting(String name) {
    return memory.waiting(name);
  }

  /**
   * Waits, by the machine's clock, until a name's queue has exactly this many requests: for tests
   * whose other threads must be waiting for a lock before the test continues.
   *
   * @throws IllegalStateException if the queue does not reach this length within 10 s
   */
  public void awaitWaiting(String name, int number) throws InterruptedException {
    if (!memory.awaitWaiting(name, number, PATIENCE)) {
      throw new IllegalStateException(
          waiting(name) + " wait for '" + name + "', and not " + number + ", after 10 s");
    }
  }

  /** For the conformance suite, which inspects the store directly. */
  Memory memory() {
    return memory;
  }

  /** Closes this memory's managers; leases still held are signalled as lost. */
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
