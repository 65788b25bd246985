/**
 * The rules, one class per theme of {@code SPEC.md}.
 *
 * <p><b>How to write one.</b> A method of a class that extends {@link
 * dev.leasehold.testkit.rules.Steps}, marked {@link dev.leasehold.testkit.Rule} with the number
 * from {@code SPEC.md}; its sentence and guarantee are read from there. If several methods test one
 * rule, each says what it {@code shows}. A method declares what it {@code needs}; where that is
 * missing, it is reported as not run. A new class must be added to {@link
 * dev.leasehold.testkit.rules.AllRules}. Each method runs on a new instance and a new thread, and
 * reads as a story: who opens what, takes it, waits, and finds what.
 *
 * <ul>
 *   <li>{@code open()} is a new manager, as of another process, on the shared server (tuned, or
 *       with {@link dev.leasehold.testkit.fault.Faults} in front of its store); {@code store()} is
 *       a bare store, to call with one's own tokens ({@code key(name)}), {@code view()} shows the
 *       stored data, {@code worker()} is another JVM. Everything is closed after the rule, which
 *       fails if threads are left. A rule that stops, kills or floods a server uses {@code
 *       ownSite()}.
 *   <li>{@code name} is the rule's lock, {@code lock()} that lock by a new manager; {@code
 *       nextName()} begins a round with another, and {@code freshName()} is for further locks. No
 *       variable may hide {@code name}. Leases are short (300 to 800 ms), through {@link
 *       dev.leasehold.testkit.TimeScale}, so that slow machines can stretch them, or {@code LONG}.
 *   <li>{@code asking(lock)} waits in the background, {@code beside(action)} and {@code crowd(...)}
 *       act on other threads, {@code elsewhere(work)} waits for another thread's result.
 *   <li>Every race is forced, by a {@link dev.leasehold.testkit.fault.Gate}, a latch, or {@code
 *       atEachMoment} between two commands, never left to luck. Rules never sleep to wait for a
 *       condition: {@link dev.leasehold.testkit.Await}. Upper bounds of time have at least a second
 *       of slack; lower bounds have none.
 *   <li>{@link dev.leasehold.testkit.Check} reports the observed values. A rule must be able to
 *       fail: think of a store or engine that breaks it.
 * </ul>
 *
 * <p>What may come in: rules, and the words that rules of one theme need.
 */
@NullMarked
package dev.leasehold.testkit.rules;

import org.jspecify.annotations.NullMarked;
