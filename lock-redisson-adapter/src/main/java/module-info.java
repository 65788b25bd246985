/** The backend {@code redisson}: Redisson's locks, on an application's own Redisson client. */
// Redisson is an automatic module under a stable name.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.leasehold.redisson {
  requires transitive dev.leasehold.lock;
  requires dev.leasehold.redis.common;
  requires transitive redisson;
  requires static org.jspecify;

  exports dev.leasehold.redisson;

  provides dev.leasehold.lock.spi.LockBackend with
      dev.leasehold.redisson.RedissonBackend;
}
