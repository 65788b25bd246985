package dev.leasehold.redis.setnx;

/** The clock of the timestamp schemes. */
public enum SetnxClock {
  /** The server's, by {@code TIME}: one clock for all processes. */
  SERVER,
  /** Each process's own wall clock: for proxies that don't support {@code TIME}. */
  LOCAL
}
