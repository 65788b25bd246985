package dev.leasehold.cli;

import dev.leasehold.admin.Finding;
import dev.leasehold.admin.Finding.Level;
import dev.leasehold.admin.Finding.Topic;
import dev.leasehold.admin.LockAdmin;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockEvent;
import dev.leasehold.lock.LockException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Acquires and releases locks as an application would, of each supported kind, and passes one from
 * a manager to another. This shows which permissions are missing.
 */
final class Trial {
  private static final int PAIRS = 40;
  private static final int HAND_OVERS = 3;
  private static final Duration LONGEST = Duration.ofSeconds(5);

  /** A wake-up takes three round trips; a waiter that is not woken asks again within a second. */
  private static final Duration SLOW_WAKE_UP = Duration.ofMillis(300);

  private final LockSettings settings;
  private final LockAdmin admin;
  private final String name;
  final List<Finding> findings = new ArrayList<>();

  /** The reason why the waiting manager could not subscribe to wake-ups. */
  private final AtomicReference<@Nullable Throwable> deafness = new AtomicReference<>();

  Trial(LockSettings settings, LockAdmin admin, String name) {
    this.settings = settings;
    this.admin = admin;
    this.name = name;
  }

  List<Finding> findings() throws InterruptedException {
    try (LockManager locks = LockManager.open(settings);
        LockManager others =
            LockManager.opener(settings).engine(builder -> builder.listener(this::heard)).open()) {
      kinds(locks);
      if (findings.stream().allMatch(finding -> finding.level() == Level.OK)) {
        handOver(locks, others);
      }
      promises(locks.guarantees());
    } catch (LockException e) {
      problem("No manager opens with these settings: " + e.getMessage(), "");
    }
    return findings;
  }

  private interface Attempt {
    Optional<Lease> take() throws InterruptedException;
  }

  private void kinds(LockManager locks) throws InterruptedException {
    Set<Guarantee> promised = locks.guarantees();
    List<String> taken = new ArrayList<>();
    pairs(locks, taken);
    // On Redisson's keys a name is of one kind.
    if (promised.contains(Guarantee.SHARED)) {
      attempt(
          "read lock", () -> locks.readWriteLock(name + "-rw").read().tryAcquire(LONGEST), taken);
      attempt(
          "write lock", () -> locks.readWriteLock(name + "-rw").write().tryAcquire(LONGEST), taken);
    }
    if (promised.contains(Guarantee.PERMITS)) {
      attempt("permit", () -> locks.semaphore(name + "-permits", 1).tryAcquire(1, LONGEST), taken);
    }
    if (!taken.isEmpty()) {
      ok(Topic.TRIAL, "Acquired and released: " + String.join(", ", taken));
    }
  }

  private void pairs(LockManager locks, List<String> taken) throws InterruptedException {
    List<Duration> times = new ArrayList<>();
    for (int i = 0; i < PAIRS; i++) {
      long begun = System.nanoTime();
      if (!attempt("lock", () -> locks.lock(name).tryAcquire(LONGEST), new ArrayList<>())) {
        return;
      }
      times.add(Duration.ofNanos(System.nanoTime() - begun));
    }
    times.sort(Comparator.naturalOrder());
    taken.add("lock (in " + millis(times.get(PAIRS / 2)) + ")");
  }

  private boolean attempt(String kind, Attempt attempt, List<String> taken)
      throws InterruptedException {
    try {
      Optional<Lease> lease = attempt.take();
      if (lease.isEmpty()) {
        problem("The " + kind + " is held by others.", "Try another --name.");
        return false;
      }
      lease.get().release();
      taken.add(kind);
      return true;
    } catch (LockException e) {
      boolean refused =
          e instanceof LockStoreException store && store.kind() == LockStoreException.Kind.REFUSED;
      problem(
          "A " + kind + " could not be acquired and released: " + e.getMessage(),
          refused ? "Permit the commands that docs/topologies.md lists for this backend." : "");
      return false;
    }
  }

  private void heard(LockEvent event) {
    if (event instanceof LockEvent.Failed failed && failed.operation().equals("watch")) {
      deafness.set(failed.cause());
    }
  }

  /**
   * Checks that a waiter of another manager gets a released lock, not before the release and soon
   * after it. One quick hand-over is enough.
   */
  void handOver(LockManager locks, LockManager others) throws InterruptedException {
    if (!locks.guarantees().contains(Guarantee.WAKE_UP)) {
      return;
    }
    try {
      Duration took = passOn(locks, others);
      for (int i = 1; i < HAND_OVERS && took.compareTo(SLOW_WAKE_UP) > 0; i++) {
        took = passOn(locks, others);
      }
      Throwable deaf = deafness.get();
      if (deaf == null && took.compareTo(SLOW_WAKE_UP) <= 0) {
        ok(Topic.TRIAL, "Passed to a waiter of another manager in " + millis(took));
        return;
      }
      findings.add(
          new Finding(
              Level.WARNING,
              Topic.TRIAL,
              "",
              "A waiter is not woken when the lock is released; it asks again within a second: "
                  + (deaf == null ? "it had the lock after " + millis(took) : deaf.getMessage()),
              "Permit subscribing, and the channels (&...) that docs/topologies.md lists."));
    } catch (LockException | ExecutionException | TimeoutException e) {
      problem("The lock could not be passed to a waiter: " + e.getMessage(), "");
    }
  }

  /** Returns how long the hand-over took; the longest wait if the waiter got nothing. */
  private Duration passOn(LockManager locks, LockManager others)
      throws InterruptedException, ExecutionException, TimeoutException {
    Lease lease = locks.lock(name).acquire();
    CompletableFuture<Optional<Lease>> next =
        others.lock(name).tryAcquireAsync(LONGEST).toCompletableFuture();
    awaitWaiter();
    if (next.isDone() && lease.isValid()) {
      problem("Two managers held the same lock at once.", "Compare their settings and servers.");
    }
    long begun = System.nanoTime();
    lease.release();
    Optional<Lease> passed = next.get(2 * LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    passed.ifPresent(Lease::release);
    return passed.isPresent() ? took : LONGEST;
  }

  /**
   * Waits until the waiter is queued, or for a fixed time where there is no queue, as with
   * Redisson's plain lock.
   */
  private void awaitWaiter() throws InterruptedException {
    long end = System.nanoTime() + LONGEST.dividedBy(5).toNanos();
    while (System.nanoTime() - end < 0
        && admin.show(name).stream().allMatch(lock -> lock.entry().waiting() == 0)) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private void promises(Set<Guarantee> promised) {
    ok(Topic.PROMISES, "Guaranteed: " + names(promised, true));
    String missing = names(promised, false);
    if (!missing.isEmpty()) {
      findings.add(new Finding(Level.OK, Topic.PROMISES, "", "Not guaranteed: " + missing, ""));
    }
    if (!promised.contains(Guarantee.FENCING)) {
      findings.add(
          new Finding(
              Level.NOTICE,
              Topic.PROMISES,
              "",
              "Leases have no fencing token, by which a resource could refuse a former holder.",
              "Use a scheme of the library's own keys, if no foreign client shares the locks."));
    }
  }

  private static String names(Set<Guarantee> promised, boolean contained) {
    return String.join(
        ", ",
        Arrays.stream(Guarantee.values())
            .filter(guarantee -> promised.contains(guarantee) == contained)
            .map(guarantee -> guarantee.name().toLowerCase(Locale.ROOT).replace('_', ' '))
            .toList());
  }

  private void ok(Topic topic, String text) {
    findings.add(new Finding(Level.OK, topic, "", text, ""));
  }

  private void problem(String text, String advice) {
    findings.add(new Finding(Level.PROBLEM, Topic.TRIAL, "", text, advice));
  }

  private static String millis(Duration time) {
    return String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
  }
}
