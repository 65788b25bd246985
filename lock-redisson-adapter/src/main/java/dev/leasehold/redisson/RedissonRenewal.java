package dev.leasehold.redisson;

/** What renews leases. */
enum RedissonRenewal {
  LEASEHOLD,
  WATCHDOG
}
