/**
 * Guice and Typesafe Config: {@link dev.leasehold.guice.LeaseholdModule} binds a lock manager and
 * its named locks, {@link dev.leasehold.methods.Locked} puts a method under a lock, and {@link
 * dev.leasehold.guice.ConfigSettings} reads settings with file and line.
 *
 * <p>What comes in here knows Guice or Typesafe Config; what a lock does, the engine decides.
 */
@NullMarked
package dev.leasehold.guice;

import org.jspecify.annotations.NullMarked;
