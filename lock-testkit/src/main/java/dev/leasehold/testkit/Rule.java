package dev.leasehold.testkit;

import dev.leasehold.lock.Guarantee;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A test of a rule: a method that takes a {@link Bench}. What the rule says, and which guarantee it
 * belongs to, stands in the specification under its number.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Rule {
  /** The rule's number: "EX-1". */
  String value();

  /** Which case of it, where the rule has several methods: "between processes". */
  String shows() default "";

  /** What this case cannot do without. */
  Need[] needs() default {};

  /** Guarantees that this case needs besides the rule's own. */
  Guarantee[] also() default {};

  /** Whether no other case may run in this JVM meanwhile: it counts what all of it has. */
  boolean alone() default false;

  /**
   * Whether it is about what happens in time, so that a JVM which stands still breaks it: short
   * leases are to be renewed, or something is to end soon. A failure says nothing then, and the
   * case runs anew; but not if it failed by {@link Check#safe} or {@link Check#refused}.
   */
  boolean timed() default false;
}
