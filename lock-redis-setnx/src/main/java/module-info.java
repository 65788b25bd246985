/** The backend {@code redis-setnx}: the schemes that begin with {@code SETNX}, on Jedis. */
// Jedis and its pool are automatic modules with stable names. An automatic module can't declare
// that it needs SLF4J, whose version 2.x is a named module that would not be resolved otherwise.
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
