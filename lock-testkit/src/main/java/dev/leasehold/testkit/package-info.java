/**
 * The conformance suite: what a backend's author names, and what runs the rules on it.
 *
 * <p>A backend is checked by one small class: extend {@link dev.leasehold.testkit.LockConformance}
 * and return a {@link dev.leasehold.testkit.BackendUnderTest}. The rules' numbers and sentences are
 * those of {@code SPEC.md}, read by {@link dev.leasehold.testkit.Specification}. A {@link
 * dev.leasehold.testkit.Suite} runs them without JUnit too. Rules work on a {@link
 * dev.leasehold.testkit.Bench}.
 *
 * <p>What may come in: what every rule or every backend needs. The rules themselves live in {@code
 * dev.leasehold.testkit.rules}.
 */
@NullMarked
package dev.leasehold.testkit;

import org.jspecify.annotations.NullMarked;
