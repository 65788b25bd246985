/**
 * The command {@code leasehold}: its subcommands, options, settings, messages and exit codes. What
 * runs a command under a lock is in {@code dev.leasehold.cli.process}, which knows no locks.
 */
@NullMarked
package dev.leasehold.cli;

import org.jspecify.annotations.NullMarked;
