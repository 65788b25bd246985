package dev.leasehold.simulation;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.testkit.sim.SimClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Clients that contend for a semaphore, or for the sides of a read/write lock, with the production
 * engine, stores and scripts. Not thread-safe.
 */
public abstract class KindWorld extends StoryWorld {
  /** The contended name. */
  protected static final String NAME = "a";

  /** The length of all leases. */
  protected final Duration lease;

  /** The number of permits. */
  protected final int permits;

  private final Duration load;

  final Kind kind;
  final Duration longestHold;
  final LockOptions options;
  final KindCheck check;
  private final List<KindOwner> owners = new ArrayList<>();

  /** The contended kind. */
  public enum Kind {
    /** A semaphore. */
    SEMAPHORE,
    /** The sides of a read/write lock. */
    READ_WRITE
  }

  /** A hold that an owner believes to have. */
  record Hold(String owner, Lease lease, int share, boolean alone) {
    boolean isFenced(Kind kind) {
      return kind == Kind.READ_WRITE || !lease.slots().isEmpty();
    }
  }

  /** A world without clients. */
  protected KindWorld(long seed, Kind kind, Duration shortestLease) {
    super(seed);
    this.kind = kind;
    this.permits = random.nextInt(1, 4);
    this.check = new KindCheck(world, kind, permits, this::fail);
    this.lease = Duration.ofMillis(random.nextInt((int) shortestLease.toMillis(), 1200));
    this.longestHold = Duration.ofMillis(random.nextInt(1, 2 * (int) lease.toMillis()));
    this.options = options(lease).build();
    this.load = mostlyAboutASecond();
  }

  /** The owners' source of randomness. */
  final RandomGenerator dice() {
    return random;
  }

  @Override
  protected final void come(SimClient client) {
    int count = random.nextInt(1, 4);
    for (int i = 0; i < count; i++) {
      KindOwner owner = new KindOwner(this, client, client.node().name() + "/o" + i);
      owners.add(owner);
      owner.begin();
    }
  }

  @Override
  protected final void gone(SimClient client) {
    owners.removeIf(owner -> owner.diedWith(client));
  }

  @Override
  protected final Duration load() {
    return load;
  }

  @Override
  protected final boolean isIdle() {
    return owners.stream().allMatch(KindOwner::isIdle);
  }

  @Override
  protected final void stop() {
    owners.forEach(KindOwner::stop);
  }

  @Override
  protected final Duration troubleLasts() {
    return lease.multipliedBy(3);
  }

  @Override
  protected final String story() {
    return check.granted();
  }
}
