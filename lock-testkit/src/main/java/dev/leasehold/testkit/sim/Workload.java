package dev.leasehold.testkit.sim;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.history.FencedResource;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.history.HistoryRecorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Owners on any number of clients that contend randomly for some locks, write to the guarded
 * resources, and record everything in the world's time.
 *
 * <p>Add clients, run the world, {@link #stop}, run it again until {@link #isIdle}, and check
 * {@link #history}. Not thread-safe.
 */
public final class Workload {
  /** The longest lease as a multiple of the options' lease; re-entries ask for that much. */
  public static final int LONGEST_LEASE = 4;

  private final SimWorld world;
  private final List<String> locks;
  private final LockOptions options;
  private final Duration longestHold;
  private final FencedResource[] resources;
  private final Map<SimNode, HistoryRecorder> recorders = new LinkedHashMap<>();
  private final List<WorkloadOwner> owners = new ArrayList<>();
  private boolean stopped;

  /**
   * A workload without owners.
   *
   * @param locks names of the locks
   * @param options of the locks
   * @param longestHold the longest that an owner works while holding a lock
   */
  public Workload(SimWorld world, List<String> locks, LockOptions options, Duration longestHold) {
    this.world = world;
    this.locks = List.copyOf(locks);
    this.options = options;
    this.longestHold = longestHold;
    this.resources = new FencedResource[locks.size()];
    for (int i = 0; i < resources.length; i++) {
      resources[i] = FencedResource.fenced();
    }
  }

  /** Adds owners on a client. Each begins at once. */
  public void add(SimClient client, int count) {
    HistoryRecorder recorder =
        recorders.computeIfAbsent(
            client.node(), node -> new HistoryRecorder(node.name(), world.ticker()));
    for (int i = 0; i < count; i++) {
      WorkloadOwner owner = new WorkloadOwner(this, client, "o" + i, recorder);
      owners.add(owner);
      owner.begin();
    }
  }

  /** Crashes a client and records its death. */
  public void crash(SimClient client) {
    client.node().crash();
    HistoryRecorder recorder = recorders.get(client.node());
    if (recorder != null) {
      recorder.died(client.node().name());
    }
    owners.removeIf(owner -> owner.isOn(client));
  }

  /** Stops further acquisitions. */
  public void stop() {
    stopped = true;
  }

  /** Whether all surviving owners have finished; true only after {@link #stop}. */
  public boolean isIdle() {
    return stopped && owners.stream().allMatch(WorkloadOwner::isIdle);
  }

  /** The recorded history. */
  public History history() {
    return recorders.values().stream()
        .map(HistoryRecorder::history)
        .reduce(History.of(List.of()), History::and);
  }

  /** The number of acquisitions so far. */
  public long acquired() {
    return owners.stream().mapToLong(WorkloadOwner::acquired).sum();
  }

  boolean isStopped() {
    return stopped;
  }

  SimWorld world() {
    return world;
  }

  LockOptions options() {
    return options;
  }

  /** A random duration of at most {@code most}. */
  static Duration any(RandomGenerator random, Duration most) {
    return Duration.ofNanos(random.nextLong(most.toNanos() + 1));
  }

  Duration longestHold() {
    return longestHold;
  }

  int anyLock(RandomGenerator random) {
    return random.nextInt(locks.size());
  }

  String lock(int index) {
    return locks.get(index);
  }

  FencedResource resource(int index) {
    return resources[index];
  }
}
