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
 * A node of a quorum in memory, with a thread of its own: it carries out one command after another,
 * as a server does, and a client that gives a command up does not take it back. Thread-safe.
 */
public final class MemoryNode implements AutoCloseable {
  private enum State {
    UP,
    /** Calls fail at once. */
    DEAD,
    /** Calls stand in line, and are done when it goes on. */
    HUNG,
    /** Calls are done, and their answers stand in line. */
    MUTE
  }

  private final int number;
  private final NodeClock clock = new NodeClock();
  private final ReentrantLock mutex = new ReentrantLock();
  private final Locks locks = new Locks(clock);
  private final List<NodeCall> done = new ArrayList<>();
  private final List<Command<?>> line = new ArrayList<>();
  private final List<Runnable> answers = new ArrayList<>();
  private final ScheduledExecutorService thread;
  private State state = State.UP;
  private Duration late = Duration.ZERO;
  private Optional<Duration> gathering = Optional.empty();
  private int clients;

  /**
   * What a node has of a lock.
   *
   * @param endsAt when that ends if nobody renews it, by {@link System#nanoTime()}
   */
  public record Kept(String token, long endsAt) {}

  /** A call on its way. */
  private record Command<T>(
      int client, NodeCall call, Function<Locks, T> work, CompletableFuture<T> answer) {}

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

  /** A client's own way to it. */
  public QuorumNode client() {
    return locked(() -> new NodeClient(this, clients++));
  }

  // ---- what goes wrong ----

  /** Goes on as if nothing had been: what stands in line is done, what was held back is told. */
  public void up() {
    change(
        () -> {
          become(State.UP);
          thread.execute(this::work);
          answers.forEach(thread::execute);
          answers.clear();
        });
  }

  /** Dies: calls fail at once, also those in line. It keeps its data. */
  public void die() {
    change(
        () -> {
          become(State.DEAD);
          thread.execute(this::work);
        });
  }

  /** Hangs, as a stopped process: calls are taken, and nothing is done until {@link #up()}. */
  public void hang() {
    change(() -> become(State.HUNG));
  }

  /** Does what it is asked for, and tells nobody until {@link #up()}. */
  public void mute() {
    change(() -> become(State.MUTE));
  }

  /** What it has not told so far is never told. */
  public void loseAnswers() {
    change(answers::clear);
  }

  /** Tells everything so much later than it does it. */
  public void answerLate(Duration delay) {
    change(() -> late = delay);
  }

  /** Has lost everything, as after a restart without data. */
  public void forget() {
    change(locks::forget);
  }

  /** Its clock jumps ahead, and its leases end sooner. */
  public void jumpAhead(Duration time) {
    clock.jump(time.toNanos());
  }

  /** Its clock runs at another rate; to be set before it is used. */
  public void clockRate(double rate) {
    clock.rate(rate);
  }

  /**
   * The network at its worst: calls that come within that time of one another arrive together, and
   * those of one client before the others': of client 0 at node 0, of client 1 at node 1.
   */
  public void gather(Duration window) {
    change(() -> gathering = Optional.of(window));
  }

  private void become(State next) {
    state = next;
  }

  // ---- what is there ----

  /** Which number it has among its like, from 0. */
  public int number() {
    return number;
  }

  /** What it has of a lock now. */
  public Optional<Kept> look(String name) {
    return locked(
        () -> locks.live(name).map(grant -> new Kept(grant.token(), clock.realTime(grant.end()))));
  }

  /** Removes a lock, whoever has it. */
  public void remove(String name) {
    change(() -> locks.remove(name));
  }

  /** Puts a holder there, whoever has it. */
  public void put(String name, String token, Duration ttl) {
    change(() -> locks.put(name, token, ttl));
  }

  /** What it has carried out so far, in order. */
  public List<NodeCall> done() {
    return locked(() -> List.copyOf(done));
  }

  /** How many calls it has not carried out yet. */
  public int waiting() {
    return locked(line::size);
  }

  /** How many clients' acquisitions of a lock it has not carried out yet. */
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

  // ---- how it works ----

  <T> CompletableFuture<T> call(int client, NodeCall call, Function<Locks, T> work) {
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

  /** On the node's thread. */
  private void work() {
    List<Runnable> tell = new ArrayList<>();
    mutex.lock();
    try {
      if (state == State.HUNG) {
        return;
      }
      if (gathering.isPresent()) {
        // Each client's own calls stay in order.
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
