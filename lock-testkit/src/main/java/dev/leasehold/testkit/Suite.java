package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockManager;
import dev.leasehold.testkit.rules.AllRules;
import dev.leasehold.testkit.server.RedisServers;
import dev.leasehold.testkit.server.StoreServer;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/**
 * The conformance suite on one backend. Runs rules one after another, each on its own thread with a
 * time limit. Does not need JUnit. Not thread-safe.
 */
public final class Suite implements AutoCloseable {
  /**
   * Held for writing by a test that counts resources of the whole JVM, for reading by all others.
   */
  private static final ReadWriteLock JVM = new ReentrantReadWriteLock(true);

  private static final System.Logger LOG = System.getLogger(Suite.class.getPackageName());

  /** After this many attempts, a failure is not blamed on the machine. */
  private static final int RUNS = 3;

  private final Shared shared;
  private final Set<Guarantee> guarantees;
  private final long seed;

  private Suite(Shared shared, Set<Guarantee> guarantees, long seed) {
    this.shared = shared;
    this.guarantees = guarantees;
    this.seed = seed;
  }

  /**
   * Starts the server that the backend needs, and asks a manager for its guarantees. Blocks.
   *
   * @throws IllegalStateException if no server can be started
   * @throws dev.leasehold.lock.LockException if the backend cannot be opened
   */
  public static Suite of(BackendUnderTest backend) {
    Shared shared = Shared.start(backend);
    try (LockManager manager = backend.manager(shared.address(), builder -> builder)) {
      Long given = Long.getLong("leasehold.seed");
      long seed = given == null ? new Random().nextLong() : given;
      return new Suite(shared, Set.copyOf(manager.guarantees()), seed);
    } catch (RuntimeException e) {
      shared.close();
      throw e;
    }
  }

  /** All tests of all rules, in the specification's order. */
  public static List<RuleCase> tests() {
    return RuleCase.in(AllRules.themes());
  }

  /** The guarantees that the backend's manager declares. */
  public Set<Guarantee> guarantees() {
    return guarantees;
  }

  /** The seed of all random choices; {@code -Dleasehold.seed=} sets it. */
  public long seed() {
    return seed;
  }

  /** The server that the suite runs against, if there is one. */
  public Optional<StoreServer> server() {
    return shared.server();
  }

  /**
   * Whether this suite has its server to itself; false if the address of a running server was
   * given.
   */
  boolean isAlone() {
    return !RedisServers.kind().startsWith("redis://");
  }

  /** Runs all tests and reports each. */
  public void run(SuiteListener listener) {
    for (RuleCase test : tests()) {
      listener.begins(test);
      long begun = System.nanoTime();
      RuleOutcome outcome = run(test);
      listener.ended(test, outcome, Duration.ofNanos(System.nanoTime() - begun));
    }
  }

  /** Runs one test. */
  public RuleOutcome run(RuleCase test) {
    for (Guarantee guarantee : test.guarantees()) {
      if (!guarantees.contains(guarantee)) {
        return new RuleOutcome.NotPromised(guarantee);
      }
    }
    Lock jvm = test.isAlone() ? JVM.writeLock() : JVM.readLock();
    jvm.lock();
    try {
      return runNow(test);
    } finally {
      jvm.unlock();
    }
  }

  /** The outcome of a timed case counts only if this JVM was not starved of processor time. */
  private RuleOutcome runNow(RuleCase test) {
    for (int run = 1; ; run++) {
      try (Standstill here = new Standstill()) {
        RuleOutcome outcome = runNow(test, here);
        if (run == RUNS || !test.isTimed() || !here.isLong() || !isLate(outcome)) {
          return outcome;
        }
        LOG.log(Level.WARNING, () -> test.rule().id() + " runs anew: " + outcome.text());
      }
    }
  }

  private static boolean isLate(RuleOutcome outcome) {
    return outcome instanceof RuleOutcome.Broken broken
        && !SafetyViolation.isBehind(broken.failure());
  }

  private RuleOutcome runNow(RuleCase test, Standstill here) {
    Bench bench = new Bench(test.rule().id(), seed, shared, guarantees);
    List<Throwable> failures = new ArrayList<>();
    Optional<Need> missing = Optional.empty();
    try {
      missing =
          test.needs().stream().filter(need -> !need.isMet(bench.site(), guarantees)).findFirst();
      if (missing.isEmpty()) {
        runOnThread(test, bench);
      }
    } catch (Throwable failure) {
      failures.add(failure);
    }
    try {
      bench.close();
    } catch (Throwable failure) {
      failures.add(failure);
    }
    if (!failures.isEmpty()) {
      return new RuleOutcome.Broken(told(failures, test, bench.seedHint() + here.hint()));
    }
    return missing
        .<RuleOutcome>map(need -> new RuleOutcome.NotRun(need.missing()))
        .orElseGet(RuleOutcome.Kept::new);
  }

  private static Throwable told(List<Throwable> failures, RuleCase test, String circumstances) {
    Throwable first = failures.get(0);
    failures.stream().skip(1).forEach(first::addSuppressed);
    String saw = first instanceof AssertionError ? first.getMessage() : unexpected(first, test);
    String hint = test.rule().hint();
    return new AssertionError(
        saw + circumstances + (hint.isEmpty() ? "" : "\nUsually behind it: " + hint), first);
  }

  /** An exception that a rule did not expect, and where the rule got it. */
  private static String unexpected(Throwable first, RuleCase test) {
    String what =
        first instanceof NoSuchElementException
            ? "an acquisition that should succeed was refused, or there was no holder"
            : first.toString();
    String theme = test.themeClass().getName();
    return Stream.of(first.getStackTrace())
        .filter(frame -> frame.getClassName().equals(theme))
        .findFirst()
        .map(
            at ->
                what
                    + ", at "
                    + theme.substring(theme.lastIndexOf('.') + 1)
                    + "."
                    + at.getMethodName()
                    + "("
                    + at.getFileName()
                    + ":"
                    + at.getLineNumber()
                    + ")")
        .orElse(what);
  }

  private static void runOnThread(RuleCase test, Bench bench) throws Throwable {
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                test.run(bench);
                end.complete(null);
              } catch (Throwable e) {
                end.completeExceptionally(e);
              }
            },
            "rule " + test.rule().id());
    thread.setDaemon(true);
    thread.start();
    Duration limit = TimeScale.seconds(60);
    try {
      end.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() == null ? e : e.getCause();
    } catch (TimeoutException e) {
      AssertionError stuck = new AssertionError("the rule did not end within " + limit);
      stuck.setStackTrace(thread.getStackTrace());
      thread.interrupt();
      throw stuck;
    }
  }

  @Override
  public void close() {
    shared.close();
  }
}
