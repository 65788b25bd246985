/**
 * The rules, one class per theme of {@code SPEC.md}.
 *
 * <p><b>How to write one.</b> A method that takes a {@link dev.leasehold.testkit.Bench} and is
 * marked {@link dev.leasehold.testkit.Rule} with the number from {@code SPEC.md}; its sentence and
 * guarantee are read from there. If several methods test one rule, each says what it {@code shows}.
 * A method declares what it {@code needs}; where that is missing, it is reported as not run. A new
 * class must be added to {@link dev.leasehold.testkit.rules.AllRules}. Each method runs on a new
 * instance and a new thread.
 *
 * <ul>
 *   <li>{@code bench.site()} is the shared server: {@code open()} managers (tuned, or with {@link
 *       dev.leasehold.testkit.fault.Faults} in front of their store), bare {@code store()}s to call
 *       with one's own tokens ({@code bench.key(name)}), a {@code view()} of the stored data,
 *       {@code worker()}s in other JVMs. Everything is closed after the rule, which fails if
 *       threads are left. A rule that stops, kills or floods a server uses {@code bench.ownSite()}.
 *   <li>Names come from {@code bench.name()} and are fresh. Leases are short (300 to 800 ms),
 *       through {@link dev.leasehold.testkit.TimeScale}, so that slow machines can stretch them.
 *   <li>Every race is forced, by a {@link dev.leasehold.testkit.fault.Gate} or a latch, never left
 *       to luck. Rules never sleep to wait for a condition: {@link dev.leasehold.testkit.Await}.
 *       Upper bounds of time have at least a second of slack; lower bounds have none.
 *   <li>{@link dev.leasehold.testkit.Check} reports the observed values. A rule must be able to
 *       fail: think of a store or engine that breaks it.
 * </ul>
 *
 * <p>What may come in: rules, and helpers that only rules of one theme need.
 */
@NullMarked
package dev.leasehold.testkit.rules;

import org.jspecify.annotations.NullMarked;
