package dev.leasehold.shedlock;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Quoted;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** One hold of a job's lock, with its lease. Made by {@link LeaseholdLockProvider}. */
public final class LeaseholdLock extends AbstractSimpleLock {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.shedlock");

  private static final long RETRY_MILLIS = 100;

  private final Lease lease;

  /** Set by an extension: the grant's own minimum hold the store keeps. */
  private final boolean extended;

  LeaseholdLock(LockConfiguration configuration, Lease lease) {
    this(configuration, lease, false);
  }

  private LeaseholdLock(LockConfiguration configuration, Lease lease, boolean extended) {
    super(configuration);
    this.lease = lease;
    this.extended = extended;
  }

  /**
   * The lease: its fencing token, whether it is still valid, and {@link Lease#lost()}. It is
   * released by {@link #unlock()}, not by its user.
   */
  public Lease lease() {
    return lease;
  }

  /**
   * Gives the lock back. What ShedLock could do nothing about is a warning in the log, and not
   * thrown: that the lock had been lost meanwhile, since the job took longer than {@code
   * lockAtMostFor}, and that the store did not confirm the release yet, which is tried on.
   */
  @Override
  protected void doUnlock() {
    Duration rest = Duration.between(ClockProvider.now(), lockConfiguration.getLockAtLeastUntil());
    if (extended && lease.isValid() && rest.compareTo(Duration.ZERO) > 0) {
      // The store knows the minimum hold of the grant alone.
      CompletableFuture.delayedExecutor(rest.toMillis(), TimeUnit.MILLISECONDS)
          .execute(this::release);
    } else {
      release();
    }
  }

  private String job() {
    return Quoted.name(lockConfiguration.getName());
  }

  private void release() {
    try {
      lease.release();
    } catch (LeaseLostException | LockStoreException e) {
      LOG.log(Level.WARNING, "the lock of the job " + job() + " at its end", e);
    }
  }

  /**
   * Extends the lease; never shortens it. Empty if it was lost. If the store gives no usable answer
   * this is tried on while the lease is valid, with a warning in the log: ShedLock's {@code
   * KeepAliveLockProvider} would end its extensions with the first failure, without a word.
   *
   * @throws LockStoreException if the store refuses it, which is logged, too, or the thread is
   *     interrupted meanwhile; the lease is as it was
   */
  @Override
  protected Optional<SimpleLock> doExtend(LockConfiguration newConfiguration) {
    boolean told = false;
    while (true) {
      try {
        return lease.extend(LeaseholdLockProvider.atMost(newConfiguration))
            ? Optional.of(new LeaseholdLock(newConfiguration, lease, true))
            : Optional.empty();
      } catch (LockStoreException e) {
        if (!told) {
          LOG.log(Level.WARNING, "the lock of the job " + job() + " could not be extended yet", e);
        }
        told = true;
        if (e.kind() == LockStoreException.Kind.REFUSED) {
          throw e;
        }
        awaitNext(e);
      }
    }
  }

  /** Until the next try, or the lease is lost: then that tells. */
  private void awaitNext(LockStoreException failure) {
    try {
      lease.lost().toCompletableFuture().get(RETRY_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure;
    } catch (ExecutionException | TimeoutException e) {
      // The next try tells.
    }
  }
}
