package dev.leasehold.guice;

import com.google.inject.Provider;
import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockTimeoutException;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Setting;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Puts one {@link Locked} method under its lock. */
final class LockInterceptor implements MethodInterceptor {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.guice");

  private final LockedMethod locked;
  private final Provider<LockManager> manager;
  private final Provider<LockOptions> options;

  LockInterceptor(
      LockedMethod locked, Provider<LockManager> manager, Provider<LockOptions> options) {
    this.locked = locked;
    this.manager = manager;
    this.options = options;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation call) throws Throwable {
    return switch (locked.returns()) {
      case WHEN_DONE -> inThisThread(call);
      case A_STAGE -> new LockedStage(this, call).start();
    };
  }

  LockedMethod locked() {
    return locked;
  }

  /** The lock of a call. */
  DistributedLock lock(MethodInvocation call) {
    String name = locked.name().name(call.getArguments());
    return manager.get().lock(name, lockOptions());
  }

  private LockOptions lockOptions() {
    LockOptions given = options.get();
    if (locked.lease().isEmpty() && locked.atLeast().isEmpty()) {
      return given;
    }
    LockOptions.Builder own = given.toBuilder();
    locked.atLeast().ifPresent(own::atLeast);
    Duration lease = locked.lease().orElse(given.lease());
    return switch (given.renewal()) {
      case AUTOMATIC -> own.automaticLease(lease).build();
      case FIXED -> own.fixedLease(lease).build();
    };
  }

  /** Calls the method with the lease in its place. */
  @Nullable Object proceed(MethodInvocation call, Lease lease) throws Throwable {
    locked.leaseParameters().forEach(i -> call.getArguments()[i] = lease);
    return call.proceed();
  }

  private @Nullable Object inThisThread(MethodInvocation call) throws Throwable {
    Lease lease = acquire(lock(call));
    Object result;
    try {
      result = proceed(call, lease);
    } catch (Throwable failure) {
      try {
        lease.release();
      } catch (RuntimeException further) {
        failure.addSuppressed(further);
      }
      throw failure;
    }
    try {
      lease.release();
    } catch (LockStoreException unconfirmed) {
      warn(lease, unconfirmed);
    }
    if (result instanceof CompletionStage || result instanceof Future) {
      throw new IllegalStateException(
          LockedMethod.describe(locked.method())
              + " returned a "
              + result.getClass().getName()
              + ", and the lock was given back before it completed: declare CompletionStage as the"
              + " return type");
    }
    return result;
  }

  private Lease acquire(DistributedLock lock) throws InterruptedException {
    try {
      return locked.patience().isEmpty()
          ? lock.acquire()
          : lock.tryAcquire(locked.patience().get())
              .orElseThrow(() -> late(lock, Holders.of(lock)));
    } catch (InterruptedException e) {
      if (Arrays.stream(locked.method().getExceptionTypes())
          .anyMatch(declared -> declared.isAssignableFrom(InterruptedException.class))) {
        throw e;
      }
      Thread.currentThread().interrupt();
      CancellationException cancelled =
          new CancellationException(
              "interrupted while waiting for the lock " + Quoted.name(lock.name()));
      cancelled.initCause(e);
      throw cancelled;
    }
  }

  /** That a lock was not obtained in time; {@code holder} ends the sentence about it. */
  LockTimeoutException late(DistributedLock lock, String holder) {
    return new LockTimeoutException(
        "the lock "
            + Quoted.name(lock.name())
            + " was not obtained within "
            + locked.patience().map(Setting::written).orElse("")
            + ", and "
            + LockedMethod.describe(locked.method())
            + " was not called"
            + holder);
  }

  /** The work was done under a valid lease: its result is worth more than this failure. */
  static void warn(Lease lease, LockStoreException unconfirmed) {
    LOG.log(
        Level.WARNING,
        "the store did not confirm the release of the lock "
            + Quoted.name(lease.lockName())
            + " yet",
        unconfirmed);
  }
}
