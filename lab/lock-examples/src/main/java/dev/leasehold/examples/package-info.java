/**
 * Where all modules meet: the demo, and in the tests the examples of every page, the architecture,
 * and the packaged jars. Not published.
 */
@NullMarked
package dev.leasehold.examples;

import org.jspecify.annotations.NullMarked;
