package dev.leasehold.testkit.rules;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.spi.LeaseKey;
import dev.leasehold.lock.spi.LeaseStore;
import dev.leasehold.testkit.Await;
import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.Bench;
import dev.leasehold.testkit.Check;
import dev.leasehold.testkit.Site;
import dev.leasehold.testkit.fault.Faults;
import dev.leasehold.testkit.node.MemoryNodes;
import dev.leasehold.testkit.proxy.CommandProxy;
import dev.leasehold.testkit.server.RedisServer;
import dev.leasehold.testkit.server.ServerGroup;
import dev.leasehold.testkit.view.ServerView;
import dev.leasehold.testkit.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * What a rule finds: the suite's server and others, managers and stores to open there, names, and
 * threads. Everything is closed after the rule. Each rule has an object of its own.
 */
public abstract class Environment {
  /** The environment of this rule. */
  @SuppressWarnings("NullAway.Init") // set before the rule runs
  Bench bench;

  /** The name of this rule's lock; others come from {@link #freshName}. */
  @SuppressWarnings("NullAway.Init")
  String name;

  /** Sets the environment, before the rule runs. */
  public final void begin(Bench environment) {
    bench = environment;
    name = environment.name();
  }

  // ---- where ----

  final Site site() {
    return bench.site();
  }

  final BackendUnderTest backend() {
    return site().backend();
  }

  final boolean promises(Guarantee guarantee) {
    return bench.guarantees().contains(guarantee);
  }

  /** A new manager, as of another process. */
  final LockManager open() {
    return site().open();
  }

  final LockManager open(UnaryOperator<LockManager.Builder> tuning) {
    return site().open(tuning);
  }

  final LockManager open(Faults faults) {
    return site().open(faults);
  }

  final LockManager open(Faults faults, UnaryOperator<LockManager.Builder> tuning) {
    return site().open(faults, tuning);
  }

  final LockManager open(MemoryNodes nodes) {
    return site().quorum(nodes.clients());
  }

  final MemoryNodes nodes(int count) {
    return closing(new MemoryNodes(count));
  }

  final LeaseStore store() {
    return site().store();
  }

  final ServerView view() {
    return site().view();
  }

  final Worker worker() {
    return site().worker();
  }

  final Site ownSite() {
    return bench.ownSite();
  }

  final CommandProxy proxy() {
    return bench.proxy(site());
  }

  /** The servers of a quorum. */
  static List<RedisServer> servers(Site site) {
    return ((ServerGroup) site.redis()).servers();
  }

  /** The number of connections to a server. */
  static long connections(Site site) {
    return site.redis()
        .call("CLIENT", "LIST")
        .map(list -> list.toString().lines().count())
        .orElse(0L);
  }

  /** Whether a replica is in step with its primary. */
  static boolean isInSync(RedisServer replica) {
    return replica
        .call("INFO", "replication")
        .filter(info -> info.toString().contains("master_link_status:up"))
        .isPresent();
  }

  final <C extends AutoCloseable> C closing(C part) {
    return bench.closing(part);
  }

  // ---- locks and names ----

  final String freshName() {
    return bench.name();
  }

  /** From now on this rule is about another lock: for its next round. */
  final void nextName() {
    name = freshName();
  }

  final LeaseKey key(String lockName) {
    return bench.key(lockName);
  }

  /** {@link Bench#ended}. */
  final Duration ended(Duration lease) {
    return bench.ended(lease);
  }

  /** The lock of this rule, by a new manager. */
  final DistributedLock lock() {
    return lock(name);
  }

  /** A lock of a new manager. */
  final DistributedLock lock(String lockName) {
    return open().lock(lockName);
  }

  final DistributedLock fixed(LockManager manager, String lockName, Duration lease) {
    return bench.fixed(manager, lockName, lease);
  }

  /** A lock of a new manager with a fixed lease. */
  final DistributedLock fixed(String lockName, Duration lease) {
    return fixed(open(), lockName, lease);
  }

  final DistributedLock automatic(LockManager manager, String lockName, Duration lease) {
    return bench.automatic(manager, lockName, lease);
  }

  /** A lock of a new manager with an automatic lease. */
  final DistributedLock automatic(String lockName, Duration lease) {
    return automatic(open(), lockName, lease);
  }

  /** Options with an automatic lease. */
  static LockOptions renewed(Duration lease) {
    return LockOptions.builder().automaticLease(lease).build();
  }

  // ---- threads ----

  final <T> CompletableFuture<T> onThread(Callable<T> work) {
    return bench.onThread(work);
  }

  /** Runs an action on a separate thread. */
  final CompletableFuture<Void> beside(Check.Action action) {
    return onThread(
        () -> {
          action.run();
          return null;
        });
  }

  /**
   * Begins a wait on a separate thread, which must end by an interrupt. Running the result
   * interrupts it and awaits its end.
   */
  final Runnable interruptible(Check.Action wait) {
    CompletableFuture<InterruptedException> end = new CompletableFuture<>();
    Thread thread =
        bench.thread(() -> Check.fails(InterruptedException.class, "the wait", wait), end);
    thread.start();
    return () -> {
      thread.interrupt();
      Await.value(end);
    };
  }

  /** The result of work done by another thread. */
  final <T> T elsewhere(Callable<T> work) {
    return Await.value(onThread(work));
  }

  /** Runs work on many threads at the same time, and returns all results. */
  final <T> List<T> crowd(int threads, IntFunction<Callable<T>> work) {
    return IntStream.range(0, threads).mapToObj(i -> onThread(work.apply(i))).toList().stream()
        .map(Await::value)
        .toList();
  }
}
