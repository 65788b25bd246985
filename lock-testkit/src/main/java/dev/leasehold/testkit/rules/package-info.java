/**
 * The rules, one class for each theme of {@code SPEC.md}.
 *
 * <p><b>How to write one.</b> A method that takes a {@link dev.leasehold.testkit.Bench} and is
 * marked {@link dev.leasehold.testkit.Rule} with the number from {@code SPEC.md}; sentence and
 * guarantee are read from there. Several methods may test one rule: then each says what it {@code
 * shows}. It says what it {@code needs}: where that is missing it is not run, visibly. A new class
 * is named in {@link dev.leasehold.testkit.rules.AllRules}. Each method gets a new object of its
 * class and runs on a thread of its own.
 *
 * <ul>
 *   <li>{@code bench.site()} is the common place: {@code open()} managers (tuned, or with {@link
 *       dev.leasehold.testkit.fault.Faults} in front of their store), bare {@code store()}s to call
 *       with tokens of one's own ({@code bench.key(name)}), a {@code view()} behind the backend,
 *       {@code worker()}s in other JVMs. All is closed after the rule, and threads left over break
 *       it. A rule that stops, kills or floods a server takes {@code bench.ownSite()}.
 *   <li>Names come from {@code bench.name()} and are fresh. Leases are short (300 to 800 ms),
 *       through {@link dev.leasehold.testkit.TimeScale}, so that slow machines can stretch them.
 *   <li>Every race is forced, by a {@link dev.leasehold.testkit.fault.Gate} or a latch, never left
 *       to luck. Nothing sleeps to wait for something: {@link dev.leasehold.testkit.Await}. Upper
 *       bounds of time have a second of slack or more; what must not happen too early has none.
 *   <li>{@link dev.leasehold.testkit.Check} fails with what was seen. A rule must be able to fail:
 *       think of the store or engine that breaks it.
 * </ul>
 *
 * <p>What may come in: rules, and helpers that only rules of one theme need.
 */
@NullMarked
package dev.leasehold.testkit.rules;

import org.jspecify.annotations.NullMarked;
