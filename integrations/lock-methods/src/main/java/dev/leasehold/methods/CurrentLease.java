package dev.leasehold.methods;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A parameter of a {@link Locked} method that takes the lease under which the call runs: for its
 * fencing token, or to look whether it is still valid. Callers pass {@code null}; whatever they
 * pass is replaced. The lease is released by the call's end, not by the method.
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
