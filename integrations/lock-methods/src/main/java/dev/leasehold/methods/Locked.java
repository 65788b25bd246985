package dev.leasehold.methods;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method under a distributed lock, in objects created by Guice or Spring.
 *
 * <pre>{@code
 * public class Orders {
 *   @Locked(name = "orders:{0}", waitFor = "2s", lease = "30s")
 *   public void ship(String orderId) {}
 * }
 * }</pre>
 *
 * <p>The lock is acquired before the method runs and released after it, even if it throws. A nested
 * call in the same thread re-enters a lock of the same name. If the lock is not acquired in time,
 * the method does not run, and the call throws {@link dev.leasehold.lock.LockTimeoutException} or
 * {@linkplain #onTimeout() returns}. If the lease was lost while the method ran, the call throws
 * {@link dev.leasehold.lock.LeaseLostException} afterwards, since other calls may have run at the
 * same time; an exception of the method itself takes precedence. If the store does not confirm the
 * release, the result is returned all the same and a warning is logged: the lease was valid, and
 * the release is retried. An interrupt while waiting is thrown as {@link InterruptedException} by
 * methods that declare it, otherwise as {@link java.util.concurrent.CancellationException}, with
 * the flag kept.
 *
 * <p>A method that returns {@link java.util.concurrent.CompletionStage} or {@link
 * java.util.concurrent.CompletableFuture} is called once the lock is held: on the manager's
 * executor, or by the caller itself if the lock is granted at once. The caller never waits for the
 * lock, which is released when the method's stage completes. All failures are reported by the
 * returned stage; cancelling it abandons a waiting request. Each call is a separate owner.
 *
 * <p>A method that returns Reactor's {@code Mono} or {@code Flux} is called for each subscriber,
 * once the subscription's own acquisition of the lock succeeds. The lock is released when the
 * stream ends, before the subscriber is notified, or when it is cancelled. If the lease is lost
 * during the stream, the stream is cancelled and ends with {@link
 * dev.leasehold.lock.LeaseLostException}.
 *
 * <p>The method can obtain the lease by {@link CurrentLease}. The lock is one of the manager
 * without a qualifier, or of the manager whose qualifier stands beside this annotation
 * ({@code @Named("billing")} in Guice, {@code @Qualifier("billing")} in Spring).
 *
 * <p>Errors are reported when the object is created, not when the method is called: a name that
 * refers to no parameter, a wrong duration, a method that can't be intercepted (private, final,
 * static, of a final class, or of an interface), an override that would lose the lock, or a return
 * type whose work continues after the return. Also refused are Kotlin {@code suspend} functions,
 * which return when they first suspend, and objects that Guice did not create itself, as by {@code
 * toInstance} or {@code @Provides}, whose methods would run without a lock.
 *
 * <p>In Spring, {@code ${...}} in these texts is resolved from the environment. A call that
 * bypasses the bean's proxy, such as {@code this.ship(id)}, runs without the lock, as with all of
 * Spring's annotations.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Locked {

  /**
   * The lock's name. {@code {0}} is the first argument, {@code {orderId}} the argument of that name
   * (for classes compiled with {@code -parameters}); {@code {order.customer.id}} and {@code {0.id}}
   * are properties: components of records, or public getters ({@code getId()}, {@code isOpen()}),
   * of the declared types. Literal braces are doubled. There are no other expressions. The value
   * must be of a type whose text identifies the value: {@code String}, integers, {@code boolean},
   * {@code char}, enums (their names), {@code UUID}, {@code BigInteger}, {@code Instant}, {@code
   * LocalDate}, {@code YearMonth}. If the value or a property on the path to it is null, the call
   * throws {@link IllegalArgumentException}.
   */
  String name();

  /**
   * The lock itself, or a side of the read/write lock of the name: {@code READ} for methods that
   * may run concurrently, {@code WRITE} for those that run alone. Either all methods of a name take
   * a side or none does: the plain lock of a name does not exclude its readers. Sides have no
   * minimum hold. Within a thread each side re-enters, and a writer may read; a reader that calls a
   * writing method would wait for itself, so it gets an {@link IllegalMonitorStateException} at
   * once. A backend without read/write locks is an error when the objects are created.
   *
   * @see dev.leasehold.lock.DistributedReadWriteLock
   */
  LockMode mode() default LockMode.PLAIN;

  /** How long to wait, as {@code 2s}; {@code 0s} is one attempt, {@code forever} has no bound. */
  String waitFor() default "forever";

  /** What happens to a call that does not acquire the lock in time. */
  OnTimeout onTimeout() default OnTimeout.THROW;

  /**
   * The lease time, as {@code 30s}; if empty, that of {@link #options()} or else of the manager's
   * settings. Those also determine whether the lease is renewed.
   */
  String lease() default "";

  /**
   * How long the lock stays taken from the grant on, as {@code 1m}, even if the method ends sooner:
   * for scheduled jobs that several machines start but only one may run, with {@code waitFor =
   * "0s"} and {@code onTimeout = OnTimeout.SKIP}. If empty, the value of {@link #options()} or else
   * of the manager's settings applies.
   *
   * @see dev.leasehold.lock.LockOptions.Builder#atLeast
   */
  String atLeast() default "";

  /**
   * Id of the lock in {@code lock.locks.<id>} whose options apply; if empty, the manager's
   * defaults. Its kind is {@code lock}, or with a {@linkplain #mode() side} also {@code
   * read-write}.
   */
  String options() default "";
}
