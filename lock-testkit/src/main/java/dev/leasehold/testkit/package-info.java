/**
 * The conformance suite: the types that a backend's author uses, and those that run the rules.
 *
 * <p>A backend is checked by one small class: extend {@link dev.leasehold.testkit.LockConformance}
 * and return a {@link dev.leasehold.testkit.BackendUnderTest}. The numbers and sentences of the
 * rules come from {@code SPEC.md}, read by {@link dev.leasehold.testkit.Specification}. A {@link
 * dev.leasehold.testkit.Suite} can also run them without JUnit. Rules work on a {@link
 * dev.leasehold.testkit.Bench}.
 *
 * <p>This package contains what every rule or every backend needs. The rules themselves are in
 * {@code dev.leasehold.testkit.rules}.
 */
@NullMarked
package dev.leasehold.testkit;

import org.jspecify.annotations.NullMarked;
