/**
 * The backend {@code redis-set}: {@code SET NX PX} with an owner's token, a fence and wake-ups, on
 * Lettuce.
 */
// Lettuce and Netty are automatic modules with stable names. Netty's resolver is not used in the
// code: Lettuce needs it, and an automatic module does not resolve a named one.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.leasehold.redis.set {
  requires transitive dev.leasehold.lock;
  requires dev.leasehold.redis.common;
  requires transitive lettuce.core;
  requires io.netty.buffer;
  requires io.netty.common;
  requires io.netty.resolver.dns;
  requires io.netty.transport;
  requires static org.jspecify;

  exports dev.leasehold.redis.set;

  provides dev.leasehold.lock.spi.LockBackend with
      dev.leasehold.redis.set.RedisSetBackend;
}
