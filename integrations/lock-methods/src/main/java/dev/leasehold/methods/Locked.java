package dev.leasehold.methods;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method under a distributed lock, in objects that Guice or Spring makes.
 *
 * <pre>{@code
 * public class Orders {
 *   @Locked(name = "orders:{0}", waitFor = "2s", lease = "30s")
 *   public void ship(String orderId) {}
 * }
 * }</pre>
 *
 * <p>The lock is taken before the method and given back after it, also if it throws. A call from
 * within a locked method in the same thread re-enters locks of equal names. If the lock is not
 * obtained in time, the method does not run, and the call throws {@link
 * dev.leasehold.lock.LockTimeoutException} or {@linkplain #onTimeout() returns}. If the lease was
 * lost while the method ran, the call throws {@link dev.leasehold.lock.LeaseLostException} after
 * it, since others may have run too; if the method threw, that is what is thrown. If the store does
 * not confirm the release, the result is returned all the same, and a warning logged: the lease was
 * valid, and the release is tried on. An interrupt while waiting is thrown as {@link
 * InterruptedException} by methods that declare it, and else as {@link
 * java.util.concurrent.CancellationException}, with the flag kept.
 *
 * <p>A method that returns {@link java.util.concurrent.CompletionStage} or {@link
 * java.util.concurrent.CompletableFuture} is called when the lock is there: on the manager's
 * executor, or by the caller itself if the lock was there at once. The caller never waits for the
 * lock, and the lock is given back when the method's stage completes. All failures are the returned
 * stage's; cancelling it while it waits gives the place up. Each call is an owner of its own.
 *
 * <p>A method that returns Reactor's {@code Mono} or {@code Flux} is called when somebody
 * subscribes to that and the lock is there, for each who subscribes: each takes the lock for
 * itself. It is given back when the stream ends, before that is told, or is cancelled. If the lease
 * is lost meanwhile, the stream is cancelled, and ends with {@link
 * dev.leasehold.lock.LeaseLostException}.
 *
 * <p>The method may use the lease: {@link CurrentLease}. It uses the manager without a qualifier,
 * or that of the qualifier beside this annotation ({@code @Named("billing")} in Guice,
 * {@code @Qualifier("billing")} in Spring).
 *
 * <p>What is wrong with a method is told when its object is made, not when it is called: a name
 * that refers to no parameter, a wrong duration, a method that can't be intercepted (private,
 * final, static, of a final class, or of an interface), an override that would lose the lock, or a
 * return type whose work goes on after the return. So is a Kotlin {@code suspend} function, which
 * returns when it first suspends. So is an object that Guice did not make itself, as by {@code
 * toInstance} or {@code @Provides}: its methods would run without a lock.
 *
 * <p>In Spring, {@code ${...}} in these texts is filled in from the environment. A call that does
 * not come through the bean, as {@code this.ship(id)}, runs without the lock, as with each of
 * Spring's annotations.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Locked {

  /**
   * The lock's name. {@code {0}} is the first argument, {@code {orderId}} the one of that name (for
   * classes compiled with {@code -parameters}); braces themselves are doubled. There are no further
   * expressions. Parameters must be of a type whose text tells equal values: {@code String},
   * integers, {@code boolean}, {@code char}, enums (their names), {@code UUID}, {@code BigInteger},
   * {@code Instant}, {@code LocalDate}, {@code YearMonth}. An argument that is null is an {@link
   * IllegalArgumentException}.
   */
  String name();

  /**
   * The lock itself, or a side of the read/write lock of the name: {@code READ} for methods that
   * may run beside one another, {@code WRITE} for those that run alone. All methods of a name take
   * a side, or none: the lock of a name does not keep its readers out. Sides have no minimum hold.
   * Within a thread each side re-enters, and a writer may read; a reader that calls a method that
   * writes would wait for itself, and gets an {@link IllegalMonitorStateException} at once. A
   * manager whose backend has no read/write locks is told when the objects are made.
   *
   * @see dev.leasehold.lock.DistributedReadWriteLock
   */
  LockMode mode() default LockMode.PLAIN;

  /** How long to wait, as {@code 2s}; {@code 0s} is one attempt, {@code forever} has no bound. */
  String waitFor() default "forever";

  /** What becomes of a call that does not get the lock in time. */
  OnTimeout onTimeout() default OnTimeout.THROW;

  /**
   * How long the lease lasts, as {@code 30s}; nothing for what {@link #options()} or else the
   * manager's settings say. Whether it is renewed, they say in any case.
   */
  String lease() default "";

  /**
   * How long the lock stays taken from the grant on, as {@code 1m}, also if the method was quicker:
   * for jobs that run once at each of their times on several machines, with {@code waitFor = "0s"}
   * and {@code onTimeout = OnTimeout.SKIP}. Nothing for what {@link #options()} or else the
   * manager's settings say.
   *
   * @see dev.leasehold.lock.LockOptions.Builder#atLeast
   */
  String atLeast() default "";

  /**
   * Id of the lock in {@code lock.locks.<id>} whose options hold; nothing for the manager's
   * defaults. Its kind is {@code lock}, or with a {@linkplain #mode() side} also {@code
   * read-write}.
   */
  String options() default "";
}
