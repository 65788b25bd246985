package dev.leasehold.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs tests side by side, since they mostly wait. Each lane is a {@link Suite} with a server and
 * workers of its own, so that no test meets another one's connections or commands. The order in
 * which tests begin is the given one. Thread-safe.
 */
final class Lanes implements AutoCloseable {
  static final String PROPERTY = "leasehold.lanes";

  private static final int MOST = 64;

  private final Map<RuleCase, CompletableFuture<RuleOutcome>> verdicts = new LinkedHashMap<>();
  private final Queue<RuleCase> waiting;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
  private volatile boolean closed;

  /**
   * Begins at once. The first lane is open when this returns, so that a failure to open it is
   * thrown.
   */
  Lanes(BackendUnderTest backend, List<RuleCase> tests, int lanes) {
    tests.forEach(test -> verdicts.put(test, new CompletableFuture<>()));
    this.waiting = new ConcurrentLinkedQueue<>(tests);
    Suite first = Suite.of(backend);
    start(1, backend, first);
    for (int lane = 2; lane <= Math.min(lanes, tests.size()) && first.isAlone(); lane++) {
      start(lane, backend, null);
    }
  }

  /**
   * How many there are to be: {@code -Dleasehold.lanes=}, by default one.
   *
   * @throws IllegalArgumentException if it is no number from 1 to 64
   */
  static int wanted() {
    String given = System.getProperty(PROPERTY, "1").strip();
    try {
      int lanes = Integer.parseInt(given);
      if (1 <= lanes && lanes <= MOST) {
        return lanes;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new IllegalArgumentException(
        PROPERTY + "=" + given + " must be a whole number from 1 to " + MOST);
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
        }
      }
    } catch (RuntimeException e) {
      // This lane could not be opened or closed; others run its tests.
      failure.compareAndSet(null, e);
    }
  }

  private @Nullable RuleCase next() {
    return closed ? null : waiting.poll();
  }

  private CompletableFuture<RuleOutcome> of(RuleCase test) {
    return Objects.requireNonNull(verdicts.get(test), () -> test + " is not among the tests");
  }

  /** A test's verdict, waited for. */
  RuleOutcome verdict(RuleCase test) throws Throwable {
    try {
      return of(test).get();
    } catch (ExecutionException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  /**
   * Begins no more tests, and ends what the lanes have started when those under way are over.
   * Throws what kept a lane from being opened or closed.
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
