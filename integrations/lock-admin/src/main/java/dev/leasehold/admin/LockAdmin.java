package dev.leasehold.admin;

import dev.leasehold.lock.LockSettings;
import dev.leasehold.lock.LockStoreException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Shows the locks on their servers from outside the applications, who holds them and who waits, and
 * lets an operator act on them.
 *
 * <p>It is opened with the settings of the applications, so it reads the keys that they use: on a
 * single server, the primary named by Sentinels, a cluster, or the independent nodes of a quorum.
 * Its user needs permission to run scripts and {@code SCAN} and, to show where holders are, {@code
 * CLIENT LIST}. It acquires no lock unless asked to, and joins no queue.
 *
 * <p>Methods block, for at most {@code lock.command-timeout} per call to a server. They throw
 * {@link LockStoreException} if the server can't be reached or refuses, or on a quorum if no node
 * can be reached; failures of single nodes are part of the results. An interrupt ends a call with
 * that exception, and the thread's interrupt flag is kept. Thread-safe.
 */
public final class LockAdmin implements AutoCloseable {
  private final Servers nodes;
  private final Layout layout;
  private final Showing showing;
  private final HoldBreaker breaker;
  private final MaintenanceHolds maintenance;
  private final Voting voting;
  private final Examination examination;

  private LockAdmin(LockSettings settings, Layout layout, Servers nodes) {
    this.nodes = nodes;
    this.layout = layout;
    this.showing = new Showing(nodes, layout);
    this.breaker = new HoldBreaker(nodes, layout, showing);
    this.maintenance = new MaintenanceHolds(nodes, layout, showing, breaker, settings);
    this.voting = new Voting(nodes, settings);
    this.examination = new Examination(nodes, voting, settings);
  }

  /**
   * Connects to the servers of the settings: {@code lock.redis.*}, or {@code lock.redlock.nodes}
   * for a quorum. {@code lock.backend} and the settings of that backend determine the key format;
   * the default is that of {@code redis-set} and {@code redis-setnx}, on a quorum if {@code
   * lock.redlock.nodes} is set. Other settings are ignored. Blocks.
   *
   * @throws dev.leasehold.lock.LockConfigurationException if a setting is wrong
   * @throws LockStoreException if the server, or every node of a quorum, is unreachable
   */
  public static LockAdmin open(LockSettings settings) {
    Objects.requireNonNull(settings, "settings");
    Layout layout = AdminSettings.layout(settings);
    AdminSettings.READ_LATER.forEach(settings::find);
    return new LockAdmin(settings, layout, Servers.open(settings));
  }

  /**
   * Lists the locks in use whose names match. Returns at once; the listing is fetched while it is
   * consumed.
   *
   * @param pattern a pattern for names, as for {@code SCAN}: {@code *} matches any characters,
   *     {@code ?} one, {@code [a-c]} and {@code [^a-c]} one of these or any other, and {@code \}
   *     escapes the next character; 1 to 4096 characters
   * @throws IllegalArgumentException if the pattern is empty or too long
   */
  public LockListing list(String pattern) {
    return new LockListing(nodes, layout, Glob.of(pattern));
  }

  /**
   * Shows a name in detail: one element for each kind that is held or waited for, since the kinds
   * of a name are independent; none if the name is free.
   *
   * <p>Some values count as free although they are no lock's: in Redisson's format a string, as of
   * a semaphore or a latch, and in formats whose value is a time any number that is a time in the
   * past.
   *
   * @throws IllegalArgumentException if the name contains a lone surrogate, which no lock's name
   *     does
   * @throws LockStoreException if no server can be reached; {@code REFUSED} if no kind is held or
   *     waited for, and a key of the name holds something else than a lock in this format, or in
   *     Redisson's format a hash with more than 1000 fields, which may be a lock
   */
  public List<LockDetails> show(String name) {
    return showing.show(name);
  }

  /**
   * Returns who waits for whom among the locks in use whose names match: to find out why a job
   * waits, and which processes may be deadlocked. Reads the locks one after another.
   *
   * @param pattern as for {@link #list}
   * @throws IllegalArgumentException if the pattern is empty or too long
   * @throws LockStoreException if the server, or every node of a quorum, is unreachable
   */
  public WaitGraph waits(String pattern) {
    return showing.waits(list(pattern));
  }

  /**
   * Ends a hold that was listed before, if it still exists, as if its holder had released it: the
   * name becomes free, or passes to its first waiter. The server compares the present hold with the
   * given one in the same step, so a successor's hold is never ended. The fence is unchanged:
   * tokens keep increasing, and a resource that checks them refuses the former holder once it has
   * seen its successor.
   *
   * <p><b>Mutual exclusion is suspended</b> until the former holder learns of it: at its next
   * renewal, usually within a third of its lease, and at its deadline at the latest. {@link
   * ListedHold#believedFor()} is that bound, and {@link BreakResult.Broken#believedFor} its value
   * at the time of the break. Until then the former holder and its successor may both believe that
   * they hold the lock. Break a hold only if its process is known to be dead or its resource checks
   * fencing tokens; otherwise use {@link #breakGently}.
   *
   * <p>On a quorum the hold is ended on all reachable nodes, and is broken once no majority has it.
   *
   * @param name the lock's name
   * @param seen the hold, from {@link #list} or {@link #show}
   * @throws LockStoreException if no server can be reached, or one refused; the hold may have ended
   *     nevertheless
   */
  public BreakResult breakLock(String name, HoldId seen) {
    return breaker.breakLock(name, seen);
  }

  /**
   * Ends a hold without suspending mutual exclusion: its renewals are refused from now on, so its
   * holder loses it at its next renewal or release, and the name remains unavailable until the
   * deadline that the hold had when it was read, {@link ListedHold#remaining}. The former holder's
   * own deadline is no later. It leaves the same as a minimum hold: a hold in the state {@link
   * HoldState#KEPT} with the former holder's label, which expires by itself and wakes no waiter;
   * waiters ask again within a second of its end.
   *
   * <p>Supported for locks and writers. Readers and permits are members of a set, which can't be
   * kept this way: {@link BreakResult.NotPossible}.
   */
  public BreakResult breakGently(String name, HoldId seen) {
    return breaker.breakGently(name, seen);
  }

  /**
   * Acquires a lock by hand until the given time. Anyone who is refused, or who calls {@code
   * DistributedLock.inspect()}, sees the reason and the end in the holder's label. It is a hold
   * like any other, with its own token, but is not renewed; it outlives this object and its
   * process. Not for read/write locks, semaphores and latches, which are independent.
   *
   * <p>It neither waits nor queues: it is refused if the name is held or reserved.
   *
   * <p>On a quorum a majority of the nodes must grant it. A node that lost its data refuses new
   * locks only for {@code lock.redlock.longest-lease}; a longer hold survives the loss of data on a
   * minority of nodes, not on a majority.
   *
   * @param reason as for {@link Maintenance}
   * @param until by this machine's clock; at most a year from now
   * @throws IllegalArgumentException if reason or end are not allowed
   * @throws LockStoreException if the server can't be reached or refuses; whatever was acquired is
   *     released as far as servers can be reached
   */
  public MaintainResult maintain(String name, String reason, Instant until) {
    return maintenance.maintain(name, new Maintenance(reason, until), Instant.now());
  }

  /**
   * Ends the maintenance of a name early, and wakes waiters. Returns {@link
   * BreakResult.HeldByAnother} if the name is held, but not for maintenance.
   */
  public BreakResult endMaintenance(String name) {
    return maintenance.end(name);
  }

  /**
   * Returns the nodes of a quorum, and whether they vote. Writes nothing. Does not throw if nodes
   * fail.
   *
   * @return in the order of the settings; empty for a single server or a cluster
   */
  public List<VotingNode> nodes() {
    return voting.nodes();
  }

  /**
   * Examines the servers: reachability, version, eviction, limits, persistence, replicas, clock,
   * latency, and missing permissions of this user. Writes nothing. Takes about a quarter of {@code
   * lock.command-timeout} for each server.
   *
   * @return all findings, good ones included, in the order of the servers; does not throw if
   *     servers fail
   */
  public List<Finding> examine() {
    return examination.findings();
  }

  /** Closes the connections. Holds remain, including those for maintenance. Blocks. */
  @Override
  public void close() {
    nodes.close();
  }
}
