package dev.leasehold.redisson;

/** What to do about a server that may evict keys. */
enum EvictionPolicy {
  REFUSED,
  ALLOWED
}
