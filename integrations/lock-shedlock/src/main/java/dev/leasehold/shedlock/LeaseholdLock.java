package dev.leasehold.shedlock;

import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LeaseLostException;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.spi.Quoted;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/** One hold of a job's lock, with its lease. Created by {@link LeaseholdLockProvider}. */
public final class LeaseholdLock extends AbstractSimpleLock {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.shedlock");

  private static final long RETRY_MILLIS = 100;

  /**
   * Its thread ends when idle. The JVM's shared delay thread does not, and would keep the class
   * loader of the first application that uses it.
   */
  private static final ScheduledThreadPoolExecutor LATER = later();

  private final Lease lease;

  /** Set by an extension; the store itself keeps the minimum hold of the grant. */
  private final boolean extended;

  private static ScheduledThreadPoolExecutor later() {
    ThreadFactory daemons =
        task -> {
          Thread thread = new Thread(task, "leasehold-shedlock");
          thread.setDaemon(true);
          return thread;
        };
    ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1, daemons);
    pool.setKeepAliveTime(1, TimeUnit.SECONDS);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  LeaseholdLock(LockConfiguration configuration, Lease lease) {
    this(configuration, lease, false);
  }

  private LeaseholdLock(LockConfiguration configuration, Lease lease, boolean extended) {
    super(configuration);
    this.lease = lease;
    this.extended = extended;
  }

  /**
   * The lease, for its fencing token, validity and {@link Lease#lost()}. It is released by {@link
   * #unlock()}; do not release it directly.
   */
  public Lease lease() {
    return lease;
  }

  /**
   * Releases the lock. Problems that ShedLock cannot handle are logged as warnings and not thrown:
   * the lock was lost because the job took longer than {@code lockAtMostFor}, or the store has not
   * yet confirmed the release, which is retried.
   */
  @Override
  protected void doUnlock() {
    Duration rest = Duration.between(ClockProvider.now(), lockConfiguration.getLockAtLeastUntil());
    if (extended && lease.isValid() && rest.compareTo(Duration.ZERO) > 0) {
      // The store knows only the minimum hold of the grant.
      LATER.schedule(this::releaseElsewhere, rest.toMillis(), TimeUnit.MILLISECONDS);
    } else {
      release();
    }
  }

  /** The thread that serves all such delays must not wait for a store. */
  private void releaseElsewhere() {
    Thread releasing = new Thread(this::release, "leasehold-shedlock-release");
    releasing.setDaemon(true);
    releasing.start();
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
   * Extends the lease; never shortens it. Empty if the lease was lost. If the store gives no usable
   * answer, a warning is logged and the extension is retried while the lease is valid: ShedLock's
   * {@code KeepAliveLockProvider} would silently stop extending at the first failure.
   *
   * @throws LockStoreException if the store refuses, which is also logged, or the thread is
   *     interrupted; the lease is unchanged
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

  /** Waits until the next attempt or the loss of the lease, which the next attempt detects. */
  private void awaitNext(LockStoreException failure) {
    try {
      lease.lost().toCompletableFuture().get(RETRY_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure;
    } catch (ExecutionException | TimeoutException e) {
      // The next attempt detects it.
    }
  }
}
