package dev.leasehold.testkit.proxy;

/**
 * A command and the time when the proxy had read it.
 *
 * @param nanoTime {@link System#nanoTime()} at that moment
 * @param command the command
 */
public record RecordedCommand(long nanoTime, RespCommand command) {}
