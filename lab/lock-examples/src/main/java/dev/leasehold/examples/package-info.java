/**
 * The module that depends on all others: the demo, and tests of every page's examples, of the
 * architecture, and of the packaged jars. Not published.
 */
@NullMarked
package dev.leasehold.examples;

import org.jspecify.annotations.NullMarked;
