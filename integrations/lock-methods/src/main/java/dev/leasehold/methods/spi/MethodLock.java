package dev.leasehold.methods.spi;

import dev.leasehold.lock.DistributedLock;
import dev.leasehold.lock.Guarantee;
import dev.leasehold.lock.Lease;
import dev.leasehold.lock.LockConfigurationException;
import dev.leasehold.lock.LockManager;
import dev.leasehold.lock.LockOptions;
import dev.leasehold.lock.LockStoreException;
import dev.leasehold.lock.LockTimeoutException;
import dev.leasehold.lock.spi.Quoted;
import dev.leasehold.lock.spi.Setting;
import dev.leasehold.methods.LockMode;
import dev.leasehold.methods.Locked;
import dev.leasehold.methods.OnTimeout;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs the calls of one {@link dev.leasehold.methods.Locked} method under its lock. Thread-safe.
 */
public final class MethodLock {
  private static final System.Logger LOG = System.getLogger("dev.leasehold.methods");

  private final LockedMethod locked;
  private final Supplier<LockManager> manager;
  private final Supplier<LockOptions> options;

  private MethodLock(
      LockedMethod locked, Supplier<LockManager> manager, Supplier<LockOptions> options) {
    this.locked = locked;
    this.manager = manager;
    this.options = options;
  }

  /** A method whose annotation has been read and is valid, but which has no manager yet. */
  public static final class Checked {
    private final LockedMethod locked;

    private Checked(LockedMethod locked) {
      this.locked = locked;
    }

    /** The method. */
    public Method method() {
      return locked.method();
    }

    /** Id of the configured lock whose options apply; empty for the manager's defaults. */
    public Optional<String> options() {
      return locked.options();
    }

    /** Methods called on the arguments to build the lock's name; a native image must keep them. */
    public List<Method> accessors() {
      return locked.name().accessors();
    }

    /** Whether the method takes a side of a read/write lock, which not every manager supports. */
    public boolean takesASide() {
      return locked.mode() != LockMode.PLAIN;
    }

    /**
     * Why this method cannot use the {@linkplain #options() configured lock}; empty if it can.
     *
     * @param options of the configured lock
     */
    public Optional<String> refusal(ConfiguredKind kind, LockOptions options) {
      return unfit(kind, options)
          .map(
              why ->
                  describe(method())
                      + ": mode = "
                      + locked.mode()
                      + " with options = \""
                      + locked.options().orElse("")
                      + "\", whose "
                      + why);
    }

    private Optional<String> unfit(ConfiguredKind kind, LockOptions options) {
      String is =
          "kind is " + kind.word() + " (lock.locks." + locked.options().orElse("") + ".kind): ";
      if (kind == ConfiguredKind.SEMAPHORE || kind == ConfiguredKind.LATCH) {
        return Optional.of(
            is
                + "a method takes a lock, no "
                + kind.word()
                + ": take the options of one whose kind is lock, or read-write with mode = READ or"
                + " WRITE");
      }
      if (kind == ConfiguredKind.READ_WRITE && !takesASide()) {
        return Optional.of(
            is
                + "the plain lock of a name keeps no reader and no writer out: set mode = READ or"
                + " WRITE, or take the options of one whose kind is lock");
      }
      return takesASide() && !options.atLeast().isZero()
          ? Optional.of(
              "at-least is "
                  + Setting.written(options.atLeast())
                  + ": the sides of a read/write lock have no minimum hold: take those of a lock"
                  + " whose kind is read-write")
          : Optional.empty();
    }

    /** Why this method cannot use a manager's locks; empty if it can. Makes no store call. */
    public Optional<String> refusal(LockManager manager) {
      if (!takesASide() || manager.guarantees().contains(Guarantee.SHARED)) {
        return Optional.empty();
      }
      try {
        // throws the exception that has the reason and lists the backends with read/write locks
        manager.readWriteLock(method().getAnnotation(Locked.class).name());
        return Optional.empty();
      } catch (IllegalArgumentException templateIsNoName) {
        return Optional.empty(); // the first call reports it
      } catch (LockConfigurationException e) {
        return Optional.of(
            describe(method()) + ": mode = " + locked.mode() + ": " + e.getMessage());
      }
    }

    /**
     * Binds the method to a manager.
     *
     * @param manager evaluated at each call
     * @param options the options of {@link #options()} or else the manager's; evaluated at each
     *     call
     */
    public MethodLock on(Supplier<LockManager> manager, Supplier<LockOptions> options) {
      return new MethodLock(locked, manager, options);
    }
  }

  /**
   * Reads the annotation of a method.
   *
   * @param type the class of the object
   * @param problems receives one sentence per problem, which begins with the method
   * @return empty if there are problems
   */
  public static Optional<Checked> of(
      MemberTypes type, Method method, Framework framework, List<String> problems) {
    return LockedMethod.of(type, method, framework, problems).map(Checked::new);
  }

  /** Class, name and parameters of a method, for messages. */
  public static String describe(Method method) {
    return method.getDeclaringClass().getName()
        + "."
        + method.getName()
        + Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(", ", "(", ")"));
  }

  /**
   * Runs a call under the lock, as described at {@link dev.leasehold.methods.Locked}. Blocks while
   * it waits, unless the method returns a stage or one of Reactor's types.
   *
   * @return the value for the caller
   * @throws Throwable the exception for the caller
   */
  @SuppressWarnings("exports") // JSpecify's annotations are not needed at run time
  public @Nullable Object call(MethodCall call) throws Throwable {
    return switch (locked.returns()) {
      case WHEN_DONE -> inThisThread(call);
      case A_STAGE -> new LockedStage(this, call).start();
      case A_MONO -> LockedPublisher.mono(this, call);
      case A_FLUX -> LockedPublisher.flux(this, call);
    };
  }

  LockedMethod locked() {
    return locked;
  }

  /** The lock for a call. */
  DistributedLock lock(MethodCall call) {
    String name = locked.name().name(call.arguments());
    LockManager locks = manager.get();
    return switch (locked.mode()) {
      case PLAIN -> locks.lock(name, lockOptions());
      case READ -> locks.readWriteLock(name, lockOptions()).read();
      case WRITE -> locks.readWriteLock(name, lockOptions()).write();
    };
  }

  private LockOptions lockOptions() {
    LockOptions given = options.get();
    boolean side = locked.mode() != LockMode.PLAIN;
    if (locked.lease().isEmpty() && locked.atLeast().isEmpty() && !side) {
      return given;
    }
    LockOptions.Builder own = given.toBuilder();
    locked.atLeast().ifPresent(own::atLeast);
    if (side) {
      own.atLeast(Duration.ZERO); // the manager's minimum hold applies only to its plain locks
    }
    Duration lease = locked.lease().orElse(given.lease());
    return switch (given.renewal()) {
      case AUTOMATIC -> own.automaticLease(lease).build();
      case FIXED -> own.fixedLease(lease).build();
    };
  }

  /** Calls the method with the lease as its {@code CurrentLease} argument. */
  @Nullable Object proceed(MethodCall call, Lease lease) throws Throwable {
    @Nullable Object[] arguments = call.arguments();
    locked.leaseParameters().forEach(i -> arguments[i] = lease);
    return call.proceed();
  }

  private @Nullable Object inThisThread(MethodCall call) throws Throwable {
    DistributedLock lock = lock(call);
    Optional<Lease> granted;
    try {
      granted = acquire(lock);
    } catch (LockStoreException unknown) {
      if (locked.onTimeout() == OnTimeout.SKIP) {
        // A scheduler logs a stack trace; a skipped job deserves a line of its own.
        LOG.log(
            Level.WARNING,
            "{0} was not called, since it is unknown whether {1} is held: {2}",
            describe(locked.method()),
            words(lock),
            unknown.getMessage());
      }
      throw unknown;
    }
    if (granted.isEmpty()) {
      if (locked.onTimeout() == OnTimeout.SKIP) {
        return null;
      }
      throw late(lock, Holders.of(lock));
    }
    Lease lease = granted.get();
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
          describe(locked.method())
              + " returned a "
              + result.getClass().getName()
              + ", and the lock was released before it completed: declare CompletionStage as the"
              + " return type");
    }
    return result;
  }

  /**
   * Requests the lock without blocking.
   *
   * @param then called with the lease, empty if it was not granted in time, or with the failure
   * @return the lock's own future: once it can no longer be cancelled, there is a lease
   */
  CompletableFuture<?> request(
      DistributedLock lock, BiConsumer<Optional<Lease>, @Nullable Throwable> then) {
    Optional<Duration> patience = locked.patience();
    if (patience.isPresent()) {
      CompletableFuture<Optional<Lease>> timed =
          lock.tryAcquireAsync(patience.get()).toCompletableFuture();
      timed.whenComplete(then);
      return timed;
    }
    CompletableFuture<Lease> unbounded = lock.acquireAsync().toCompletableFuture();
    unbounded.whenComplete((lease, failure) -> then.accept(Optional.ofNullable(lease), failure));
    return unbounded;
  }

  private Optional<Lease> acquire(DistributedLock lock) throws InterruptedException {
    try {
      return locked.patience().isEmpty()
          ? Optional.of(lock.acquire())
          : lock.tryAcquire(locked.patience().get());
    } catch (InterruptedException e) {
      if (Arrays.stream(locked.method().getExceptionTypes())
          .anyMatch(declared -> declared.isAssignableFrom(InterruptedException.class))) {
        throw e;
      }
      Thread.currentThread().interrupt();
      CancellationException cancelled =
          new CancellationException("interrupted while waiting for " + words(lock));
      cancelled.initCause(e);
      throw cancelled;
    }
  }

  /** "the lock 'orders:1'", or its side. */
  private String words(DistributedLock lock) {
    String kind =
        switch (locked.mode()) {
          case PLAIN -> "the lock ";
          case READ -> "the read lock ";
          case WRITE -> "the write lock ";
        };
    return kind + Quoted.name(lock.name());
  }

  /** The exception for a lock not acquired in time; {@code holder} completes its sentence. */
  LockTimeoutException late(DistributedLock lock, String holder) {
    return new LockTimeoutException(
        words(lock)
            + " was not obtained within "
            + locked.patience().map(Setting::written).orElse("")
            + ", and "
            + describe(locked.method())
            + " was not called"
            + holder);
  }

  /** The work was done under a valid lease, so its result takes precedence over this failure. */
  static void warn(Lease lease, LockStoreException unconfirmed) {
    LOG.log(
        Level.WARNING,
        "the store did not confirm the release of " + Quoted.name(lease.lockName()) + " yet",
        unconfirmed);
  }
}
