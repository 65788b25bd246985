package dev.leasehold.redis.common;

/**
 * A script with all that it is told. The arrays must not be changed.
 *
 * @param script which
 * @param keys its {@code KEYS}
 * @param arguments its {@code ARGV}
 */
@SuppressWarnings("ArrayRecordComponent") // bytes as a client sends them; never compared
public record ScriptRequest(Script script, byte[][] keys, byte[][] arguments) {}
