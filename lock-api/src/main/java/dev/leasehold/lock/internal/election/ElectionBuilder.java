package dev.leasehold.lock.internal.election;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.LeaderElection;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.Resignation;
import dev.leasehold.lock.internal.several.AllLocks;
import java.util.Objects;
import java.util.function.Consumer;

/** Prepares elections on any lock. */
public final class ElectionBuilder implements LeaderElection.Builder {
  private final DistributedLock lock;
  private Consumer<? super Lease> elected = lease -> {};
  private Consumer<? super Resignation> resigned = why -> {};

  /**
   * A builder for elections by this lock.
   *
   * @throws IllegalArgumentException if many may hold it at a time
   */
  public ElectionBuilder(DistributedLock lock) {
    this.lock = Objects.requireNonNull(lock, "lock");
    if (AllLocks.isShared(lock)) {
      throw new IllegalArgumentException(
          "an election by "
              + AllLocks.words(lock)
              + ": many hold it at a time, so each would lead. Use the write side, or a lock");
    }
  }

  @Override
  public ElectionBuilder elected(Consumer<? super Lease> callback) {
    this.elected = Objects.requireNonNull(callback, "callback");
    return this;
  }

  @Override
  public ElectionBuilder resigned(Consumer<? super Resignation> callback) {
    this.resigned = Objects.requireNonNull(callback, "callback");
    return this;
  }

  @Override
  public LeaderElection start() {
    return new Candidate(lock, elected, resigned).started();
  }
}
