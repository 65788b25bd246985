/**
 * Guice and Typesafe Config: {@link dev.leasehold.guice.LeaseholdModule} binds a lock manager and
 * its named locks, {@link dev.leasehold.methods.Locked} runs a method under a lock, and {@link
 * dev.leasehold.guice.ConfigSettings} reads settings with file and line.
 *
 * <p>This package contains only code for Guice or Typesafe Config; the behaviour of locks belongs
 * to the engine.
 */
@NullMarked
package dev.leasehold.guice;

import org.jspecify.annotations.NullMarked;
