package dev.leasehold.methods;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a parameter of a {@link Locked} method that receives the lease of the call, for its fencing
 * token or to check whether it is still valid. Callers pass {@code null}; any argument is replaced.
 * The lease is released when the call ends, not by the method.
 *
 * <pre>{@code
 * public class Orders {
 *   @Locked(name = "orders:{0}")
 *   public void ship(String orderId, @CurrentLease dev.leasehold.lock.Lease lease) {
 *     lease.ensureValid();
 *   }
 * }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface CurrentLease {}
