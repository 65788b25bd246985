package dev.leasehold.redis.setnx;

/** Whose clock decides in the timestamp schemes. */
public enum SetnxClock {
  /** The server's, by {@code TIME}: one clock for all of ours. */
  SERVER,
  /** Each process' own wall clock: for proxies that don't know {@code TIME}. */
  LOCAL
}
