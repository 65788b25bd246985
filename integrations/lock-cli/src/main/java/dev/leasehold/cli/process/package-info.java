/**
 * Processes: a command in a process group of its own, signals to all of it, and a guard that ends
 * it if this JVM is killed. Needs a POSIX shell, and {@code setsid}. Knows no locks.
 */
@NullMarked
package dev.leasehold.cli.process;

import org.jspecify.annotations.NullMarked;
