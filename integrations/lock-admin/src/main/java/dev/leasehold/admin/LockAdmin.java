package dev.leasehold.admin;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.redis.common.KeySpace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Locks as their servers have them, from outside the applications: who holds what, who waits, and
 * what an operator can do about it.
 *
 * <p>It is opened from the settings of the applications, and so looks at the keys that they use: a
 * single server, the primary that Sentinels name, a cluster, or the independent nodes of a quorum.
 * It needs a user who may run scripts, {@code SCAN} and, to see where holders are, {@code CLIENT
 * LIST}. It acquires nothing by itself and appears in no queue.
 *
 * <p>Methods block, each call to a server for {@code lock.command-timeout} at most. They throw
 * {@link LockStoreException} if the server can't be reached or refuses, on a quorum if no node can
 * be reached; what single nodes failed to do is in the results. An interrupt ends a call with that
 * exception and is kept. Thread-safe.
 */
public final class LockAdmin implements AutoCloseable {
  private final Servers nodes;
  private final Layout layout;
  private final HoldBreaker breaker;
  private final MaintenanceHolds maintenance;
  private final Voting voting;
  private final Examination examination;

  private LockAdmin(
      Servers nodes,
      Layout layout,
      MaintenanceHolds maintenance,
      Voting voting,
      Examination examination) {
    this.examination = examination;
    this.voting = voting;
    this.nodes = nodes;
    this.layout = layout;
    this.breaker = new HoldBreaker(nodes, layout);
    this.maintenance = maintenance;
  }

  /**
   * Connects to the servers of the settings: {@code lock.redis.*}, or {@code lock.redlock.nodes}
   * for a quorum. How locks are kept there is told by {@code lock.backend} and the backends'
   * settings; by default as {@code redis-set} and {@code redis-setnx} do, or, if {@code
   * lock.redlock.nodes} is set, as a quorum of such nodes. Other settings are ignored. Blocks.
   *
   * @throws dev.leasehold.lock.LockConfigurationException if a setting is wrong
   * @throws LockStoreException if the server can't be reached, or no node of a quorum
   */
  public static LockAdmin open(LockSettings settings) {
    Objects.requireNonNull(settings, "settings");
    Layout layout = Layouts.of(settings);
    KeySpace space = KeySpace.of(settings);
    Duration longestLease = settings.get(AdminSettings.LONGEST_LEASE);
    Servers nodes = Servers.open(settings);
    Voting voting = new Voting(nodes, settings);
    return new LockAdmin(
        nodes,
        layout,
        new MaintenanceHolds(nodes, layout, space, longestLease),
        voting,
        new Examination(nodes, voting, settings));
  }

  /**
   * The locks in use whose names match. Returns at once; the listing fetches while it is consumed.
   *
   * @param pattern as of {@code SCAN}, for the names: {@code *} any characters, {@code ?} one,
   *     {@code [a-c]} and {@code [^a-c]} one of these or none of these, {@code \} before a
   *     character that stands for itself; 1 to 4096 characters
   * @throws IllegalArgumentException if the pattern is empty or too long
   */
  public LockListing list(String pattern) {
    return new LockListing(nodes, layout, Glob.of(pattern));
  }

  /**
   * What is kept under a name: one element for each kind that is in use or waited for, since kinds
   * of one name are unrelated; none if the name is free.
   *
   * @throws IllegalArgumentException if the name holds a lone surrogate, which no lock's has
   * @throws LockStoreException if no server could be asked
   */
  public List<LockDetails> show(String name) {
    return new Showing(nodes, layout).show(name);
  }

  /**
   * Who waits for whom, of the locks in use whose names match: to find out why a job waits, and
   * which processes may have locked each other out. Asks for the locks one after another.
   *
   * @param pattern as of {@link #list}
   * @throws IllegalArgumentException if the pattern is empty or too long
   * @throws LockStoreException if the server can't be reached, or no node of a quorum
   */
  public WaitGraph waits(String pattern) {
    return new QueueCollector(new Showing(nodes, layout)).among(list(pattern));
  }

  /**
   * Ends a hold that was seen before, if it still exists, as if its holder had released it: the
   * name is free, or passed on to its first waiter. Whoever holds the name now is compared with
   * what was seen in one step on the server, so a successor's hold is never ended. The fence is not
   * touched: tokens go on increasing, and a resource that checks them refuses the former holder
   * once it has seen its successor.
   *
   * <p><b>Exclusion ends here</b> until the former holder hears of it. It is told that its lease is
   * lost at its next renewal, usually within a third of its lease, and at its deadline in any case:
   * {@link ListedHold#believedFor()} is that bound, and {@link BreakResult.Broken#believedFor} the
   * same at the time of the break. Until then both it and its successor may believe that they hold
   * the lock. Break a hold whose process is known to be dead, or whose resource checks fencing
   * tokens; otherwise {@link #breakGently}.
   *
   * <p>On a quorum the hold is ended on all nodes that can be reached, and broken once no majority
   * has it.
   *
   * @param name the lock's
   * @param seen the hold, from {@link #list} or {@link #show}
   * @throws LockStoreException if no server could be asked, or one refused; then the hold may have
   *     ended all the same
   */
  public BreakResult breakLock(String name, HoldId seen) {
    return breaker.breakLock(name, seen);
  }

  /**
   * Ends a hold without ending exclusion: its renewals are refused from now on, so its holder loses
   * it, at its next renewal or release; and the name stays taken until the deadline that the hold
   * had when it was asked for, {@link ListedHold#remaining}. The former holder's own deadline is no
   * later. It leaves what a minimum hold leaves: a hold in the state {@link HoldState#KEPT}, under
   * the former holder's label, which ends by itself and wakes no waiter; waiters ask again within a
   * second of its end.
   *
   * <p>For locks and for writers. Readers and permits are members of a set, which has no such form:
   * {@link BreakResult.NotPossible}.
   */
  public BreakResult breakGently(String name, HoldId seen) {
    return breaker.breakGently(name, seen);
  }

  /**
   * Takes the lock of a name by hand, so that nobody gets it before the given time: everybody who
   * is refused, or asks {@code DistributedLock.inspect()}, reads the reason and the end in the
   * holder's label. It is a hold like any other, with a token of its own, but nobody renews it; it
   * survives this object and its process. Not read/write locks, semaphores and latches, which are
   * unrelated.
   *
   * <p>It does not wait, and does not queue: if the name is held or reserved, it is refused.
   *
   * <p>On a quorum a majority of the nodes must grant it. A node that lost its data refuses others
   * only for {@code lock.redlock.longest-lease}; a longer hold survives that a minority loses it,
   * not that a majority does.
   *
   * @param reason as of {@link Maintenance}
   * @param until by this machine's clock; a year from now at most
   * @throws IllegalArgumentException if reason or end are not allowed
   * @throws LockStoreException if the server can't be reached or refuses, and nothing is left
   *     behind as far as it could be reached
   */
  public MaintainResult maintain(String name, String reason, Instant until) {
    return maintenance.maintain(name, new Maintenance(reason, until), Instant.now());
  }

  /**
   * Ends the maintenance of a name before its time; waiters are woken. {@link
   * BreakResult.HeldByAnother} if the name is held, but not for maintenance.
   */
  public BreakResult endMaintenance(String name) {
    return maintenance.end(name);
  }

  /**
   * The nodes of a quorum, and whether they vote. Writes nothing. It does not throw if nodes fail.
   *
   * @return in the order of the settings; none of a single server or a cluster
   */
  public List<VotingNode> nodes() {
    return voting.nodes();
  }

  /**
   * Examines the servers: whether they answer, their versions, eviction, limits, persistence,
   * replicas, clocks and latency, and what this user may not do. Writes nothing. Takes about a
   * quarter of {@code lock.command-timeout} for each.
   *
   * @return what was found, good news included, in the order of the servers; it does not throw if
   *     servers fail
   */
  public List<Finding> examine() {
    return examination.findings();
  }

  /** Closes the connections. Holds stay as they are, also those for maintenance. Blocks. */
  @Override
  public void close() {
    nodes.close();
  }
}
