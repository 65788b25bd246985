/** The backend {@code redis-setnx}: the schemes that begin with {@code SETNX}, on Jedis. */
// Jedis and the pool are automatic modules under stable names. Jedis can't say that it needs SLF4J:
// 2.x is a module proper, which nobody would ask for.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.leasehold.redis.setnx {
  requires transitive dev.leasehold.lock;
  requires dev.leasehold.redis.common;
  requires transitive redis.clients.jedis;
  requires org.apache.commons.pool2;
  requires org.slf4j;
  requires static org.jspecify;

  exports dev.leasehold.redis.setnx;

  provides dev.leasehold.lock.spi.LockBackend with
      dev.leasehold.redis.setnx.RedisSetnxBackend;
}
