/**
 * A page that shows the locks: {@link dev.leasehold.cli.console.LockWatcher} looks at them again
 * and again, {@link dev.leasehold.cli.console.ConsoleServer} answers browsers from what it saw
 * last, and {@link dev.leasehold.cli.console.RequestGuard} decides which requests are answered at
 * all. Knows no options.
 */
@NullMarked
package dev.leasehold.cli.console;

import org.jspecify.annotations.NullMarked;
