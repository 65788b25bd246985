package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test of a rule: a method that takes a {@link Bench}, or nothing if its class is given one as
 * the kit's own are. The specification gives the rule's sentence and guarantee under its number.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Rule {
  /** The rule's number: "EX-1". */
  String value();

  /** Which case of the rule, if it has several methods: "between processes". */
  String shows() default "";

  /** What this case requires. */
  Need[] needs() default {};

  /** Guarantees that this case needs in addition to the rule's own. */
  Guarantee[] also() default {};

  /**
   * Whether no other case may run in this JVM at the same time, because this one counts resources
   * of the whole JVM.
   */
  boolean alone() default false;

  /**
   * Whether this case depends on timing, such as the renewal of short leases, so that a pause of
   * the JVM can make it fail. Such a failure proves nothing, and the case is run again, unless it
   * failed by {@link Check#safe} or {@link Check#refused}.
   */
  boolean timed() default false;
}
