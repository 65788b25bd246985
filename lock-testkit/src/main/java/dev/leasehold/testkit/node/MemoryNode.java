package dev.leasehold.testkit.node;

import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockStoreException.Kind;
import dev.leasehold.lock.spi.quorum.QuorumNode;
import dev.leasehold.testkit.fault.Op;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An in-memory node of a quorum with a thread of its own: it executes commands one after another,
 * as a server does, and executes a command even if its client has given up. Thread-safe.
 */
public final class MemoryNode implements AutoCloseable {
  private enum State {
    UP,
    /** Calls fail at once. */
    DEAD,
    /** Calls are queued, and executed when the node is up again. */
    HUNG,
    /** Calls are executed, and their answers are queued. */
    MUTE
  }

  private final int number;
  private final NodeClock clock = new NodeClock();
  private final ReentrantLock mutex = new ReentrantLock();
  private final NodeLocks locks = new NodeLocks(clock);
  private final List<NodeCall> done = new ArrayList<>();
  private final List<Command<?>> line = new ArrayList<>();
  private final List<Runnable> answers = new ArrayList<>();
  private final ScheduledExecutorService thread;
  private State state = State.UP;
  private Duration late = Duration.ZERO;
  private Optional<Duration> gathering = Optional.empty();
  private int clients;

  /**
   * A node's record of a lock.
   *
   * @param endsAt when it expires unless renewed, by {@link System#nanoTime()}
   */
  public record Kept(String token, long endsAt) {}

  /** A call in flight. */
  private record Command<T>(
      int client, NodeCall call, Function<NodeLocks, T> work, CompletableFuture<T> answer) {}

  MemoryNode(int number) {
    this.number = number;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread made = new Thread(task, "kit-node-" + number);
              made.setDaemon(true);
              return made;
            });
  }

  /** A new client connection to the node. */
  public QuorumNode client() {
    return locked(() -> new NodeClient(this, clients++));
  }

  // ---- faults ----

  /** Returns to normal: executes queued calls and delivers withheld answers. */
  public void up() {
    change(
        () -> {
          become(State.UP);
          thread.execute(this::work);
          answers.forEach(thread::execute);
          answers.clear();
        });
  }

  /** Crashes: calls fail at once, including queued ones. It keeps its data. */
  public void die() {
    change(
        () -> {
          become(State.DEAD);
          thread.execute(this::work);
        });
  }

  /** Hangs like a suspended process: calls are accepted and not executed until {@link #up()}. */
  public void hang() {
    change(() -> become(State.HUNG));
  }

  /** Executes calls, and withholds the answers until {@link #up()}. */
  public void mute() {
    change(() -> become(State.MUTE));
  }

  /** Drops the answers withheld so far. */
  public void loseAnswers() {
    change(answers::clear);
  }

  /** Delays every answer by this much. */
  public void answerLate(Duration delay) {
    change(() -> late = delay);
  }

  /** Loses all data, as a restart without persistence does. */
  public void forget() {
    change(locks::forget);
  }

  /** Its clock jumps ahead, so its leases end sooner. */
  public void jumpAhead(Duration time) {
    clock.jump(time.toNanos());
  }

  /** Its clock runs at another rate; to be set before first use. */
  public void clockRate(double rate) {
    clock.rate(rate);
  }

  /**
   * A worst-case network: calls within this window arrive together, ordered so that each node
   * serves another client first: client 0 at node 0, client 1 at node 1.
   */
  public void gather(Duration window) {
    change(() -> gathering = Optional.of(window));
  }

  private void become(State next) {
    state = next;
  }

  // ---- state ----

  /** The node's index among its peers, from 0. */
  public int number() {
    return number;
  }

  /** The node's current record of a lock. */
  public Optional<Kept> look(String name) {
    return locked(
        () -> locks.live(name).map(grant -> new Kept(grant.token(), clock.realTime(grant.end()))));
  }

  /** Removes a lock, whichever token holds it. */
  public void remove(String name) {
    change(() -> locks.remove(name));
  }

  /** Sets a lock's holder, and replaces any other. */
  public void put(String name, String token, Duration ttl) {
    change(() -> locks.put(name, token, ttl));
  }

  /** The calls executed so far, in order. */
  public List<NodeCall> done() {
    return locked(() -> List.copyOf(done));
  }

  /** The number of queued calls. */
  public int waiting() {
    return locked(line::size);
  }

  /** The number of clients with a queued acquisition of this lock. */
  public int contenders(String name) {
    return locked(
        () ->
            (int)
                line.stream()
                    .filter(command -> command.call.op() == Op.ACQUIRE)
                    .filter(command -> command.call.name().equals(name))
                    .mapToInt(Command::client)
                    .distinct()
                    .count());
  }

  // ---- implementation ----

  <T> CompletableFuture<T> call(int client, NodeCall call, Function<NodeLocks, T> work) {
    Command<T> command = new Command<>(client, call, work, new CompletableFuture<>());
    mutex.lock();
    try {
      if (state != State.DEAD) {
        line.add(command);
        Duration wait = line.size() == 1 ? gathering.orElse(Duration.ZERO) : Duration.ZERO;
        if (gathering.isEmpty() || line.size() == 1) {
          thread.schedule(this::work, wait.toNanos(), TimeUnit.NANOSECONDS);
        }
        return command.answer;
      }
    } finally {
      mutex.unlock();
    }
    command.answer.completeExceptionally(dead());
    return command.answer;
  }

  private LockStoreException dead() {
    return new LockStoreException(Kind.UNREACHABLE, this + " is dead");
  }

  /** Runs on the node's thread. */
  private void work() {
    List<Runnable> tell = new ArrayList<>();
    mutex.lock();
    try {
      if (state == State.HUNG) {
        return;
      }
      if (gathering.isPresent()) {
        // The sort is stable: each client's own calls stay in order.
        line.sort(
            Comparator.comparingInt(command -> Math.floorMod(command.client - number, clients)));
      }
      List<Command<?>> now = List.copyOf(line);
      line.clear();
      for (Command<?> command : now) {
        tell.add(carryOut(command));
      }
      if (state == State.MUTE) {
        answers.addAll(tell);
        return;
      }
    } finally {
      mutex.unlock();
    }
    Duration delay = locked(() -> late);
    if (delay.isZero()) {
      tell.forEach(Runnable::run);
    } else {
      tell.forEach(answer -> thread.schedule(answer, delay.toNanos(), TimeUnit.NANOSECONDS));
    }
  }

  private <T> Runnable carryOut(Command<T> command) {
    if (state == State.DEAD) {
      return () -> command.answer.completeExceptionally(dead());
    }
    done.add(command.call);
    T result;
    try {
      result = command.work.apply(locks);
    } catch (LockException refused) {
      return () -> command.answer.completeExceptionally(refused);
    }
    return () -> command.answer.complete(result);
  }

  private void change(Runnable step) {
    mutex.lock();
    try {
      step.run();
    } finally {
      mutex.unlock();
    }
  }

  private <T> T locked(Supplier<T> step) {
    mutex.lock();
    try {
      return step.get();
    } finally {
      mutex.unlock();
    }
  }

  @Override
  public void close() {
    change(() -> become(State.DEAD));
    thread.shutdownNow();
  }

  @Override
  public String toString() {
    return "node " + number;
  }
}
