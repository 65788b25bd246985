package dev.leasehold.testkit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs tests concurrently, since they mostly wait. Each lane is a {@link Suite} with its own server
 * and workers, so that no test sees the connections or commands of another. A single lane runs the
 * tests in the given order. Several lanes begin with the tests that need other processes, one of
 * these at a time, because JVMs that start at once would take the processor from all other tests.
 * Tests that must run alone come last.
 */
final class Lanes implements AutoCloseable {
  static final String PROPERTY = "leasehold.lanes";

  private static final int MOST = 64;

  private final Map<RuleCase, CompletableFuture<RuleOutcome>> verdicts = new LinkedHashMap<>();
  private final Deque<RuleCase> waiting;
  private final ReentrantLock choosing = new ReentrantLock();
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
  private volatile boolean closed;

  /** Whether a lane runs a test that needs other processes; guarded by {@link #choosing}. */
  private boolean processesInUse;

  /**
   * Starts the lanes. The first one is open when this returns, so that a failure to open it is
   * thrown.
   */
  Lanes(BackendUnderTest backend, List<RuleCase> tests, int lanes) {
    tests.forEach(test -> verdicts.put(test, new CompletableFuture<>()));
    this.waiting = new ArrayDeque<>(lanes == 1 ? tests : forSeveral(tests));
    Suite first = Suite.of(backend);
    start(1, backend, first);
    for (int lane = 2; lane <= Math.min(lanes, tests.size()) && first.isAlone(); lane++) {
      start(lane, backend, null);
    }
  }

  /**
   * Returns the number of lanes: {@code -Dleasehold.lanes=}, by default one.
   *
   * @throws IllegalArgumentException if it is not a number from 1 to 64
   */
  static int wanted() {
    String given = System.getProperty(PROPERTY, "1").strip();
    try {
      int lanes = Integer.parseInt(given);
      if (1 <= lanes && lanes <= MOST) {
        return lanes;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new IllegalArgumentException(
        PROPERTY + "=" + given + " must be a whole number from 1 to " + MOST);
  }

  /**
   * Returns the order for several lanes: first the tests that need other processes, since there are
   * many and one runs at a time; last those that run alone, before which all lanes wait for each
   * other.
   */
  static List<RuleCase> forSeveral(List<RuleCase> tests) {
    return tests.stream().sorted(Comparator.comparingInt(Lanes::place)).toList();
  }

  private static int place(RuleCase test) {
    return test.isAlone() ? 2 : needsProcesses(test) ? 0 : 1;
  }

  private void start(int lane, BackendUnderTest backend, @Nullable Suite open) {
    Thread thread = new Thread(() -> runAll(backend, open), "rules, lane " + lane);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void runAll(BackendUnderTest backend, @Nullable Suite open) {
    try (Suite suite = open == null ? Suite.of(backend) : open) {
      for (RuleCase test = next(); test != null; test = next()) {
        CompletableFuture<RuleOutcome> verdict = of(test);
        try {
          verdict.complete(suite.run(test));
        } catch (Throwable e) {
          verdict.completeExceptionally(e);
        } finally {
          ended(test);
        }
      }
    } catch (RuntimeException e) {
      // This lane could not be opened or closed; others run its tests.
      failure.compareAndSet(null, e);
    }
  }

  /**
   * Returns the next test that may begin; null if there is none, or none that another lane could
   * run.
   */
  private @Nullable RuleCase next() {
    choosing.lock();
    try {
      for (Iterator<RuleCase> tests = waiting.iterator(); !closed && tests.hasNext(); ) {
        RuleCase test = tests.next();
        boolean needsProcesses = needsProcesses(test);
        if (!needsProcesses || !processesInUse) {
          processesInUse |= needsProcesses;
          tests.remove();
          return test;
        }
      }
      return null;
    } finally {
      choosing.unlock();
    }
  }

  private void ended(RuleCase test) {
    choosing.lock();
    try {
      processesInUse &= !needsProcesses(test);
    } finally {
      choosing.unlock();
    }
  }

  private static boolean needsProcesses(RuleCase test) {
    return test.needs().contains(Need.PROCESSES);
  }

  private CompletableFuture<RuleOutcome> of(RuleCase test) {
    return Objects.requireNonNull(verdicts.get(test), () -> test + " is not among the tests");
  }

  /** Waits for a test's verdict. */
  RuleOutcome verdict(RuleCase test) throws Throwable {
    try {
      return of(test).get();
    } catch (ExecutionException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  /**
   * Begins no more tests, and closes the lanes when the running ones have ended. Throws the
   * exception of a lane that could not be opened or closed.
   */
  @Override
  public void close() {
    closed = true;
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    RuntimeException thrown = failure.get();
    if (thrown != null) {
      throw thrown;
    }
  }
}
