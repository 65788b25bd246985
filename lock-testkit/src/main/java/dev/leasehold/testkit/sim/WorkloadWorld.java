package dev.leasehold.testkit.sim;

import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.history.History;
import java.time.Duration;
import java.util.List;

/** A random world whose clients contend for locks by a {@link Workload}. Not thread-safe. */
public abstract class WorkloadWorld extends RandomWorld {
  /** The lock names in use. */
  protected static final List<String> LOCKS = List.of("a", "b");

  /** A world without clients. */
  protected WorkloadWorld(long seed) {
    super(seed);
  }

  /** The clients' workload, the same at each call. */
  protected abstract Workload workload();

  /** A workload on one lock or both, with holds of about the length of a lease. */
  protected final Workload workload(LockOptions options, Duration lease) {
    List<String> locks = random.nextInt(3) == 0 ? LOCKS : LOCKS.subList(0, 1);
    Duration hold = Duration.ofMillis(random.nextInt(1, 2 * (int) lease.toMillis()));
    return new Workload(world, locks, options, hold);
  }

  /** The recorded history. */
  protected final History history() {
    return workload().history();
  }

  @Override
  protected final void come(SimClient client) {
    workload().add(client, random.nextInt(1, 4));
  }

  @Override
  protected final void crash(SimClient client) {
    workload().crash(client);
  }

  @Override
  protected final void gone(SimClient client) {}

  @Override
  protected final void stop() {
    workload().stop();
  }

  @Override
  protected final boolean isIdle() {
    return workload().isIdle();
  }
}
