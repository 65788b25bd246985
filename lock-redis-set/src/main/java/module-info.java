/**
 * The backend {@code redis-set}: {@code SET NX PX} with an owner's token, a fence and wake-ups, on
 * Lettuce.
 */
// Lettuce and Netty are automatic modules under stable names. Netty's resolver is never named in
// the code: Lettuce needs it, and an automatic module does not pull a named one in.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.leasehold.redis.set {
  requires transitive dev.leasehold.lock;
  requires dev.leasehold.redis.common;
  requires transitive lettuce.core;
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.resolver.dns;
  requires static org.jspecify;

  exports dev.leasehold.redis.set;

  provides dev.leasehold.lock.spi.LockBackend with
      dev.leasehold.redis.set.RedisSetBackend;
}
