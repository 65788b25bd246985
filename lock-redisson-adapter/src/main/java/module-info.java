/** The backend {@code redisson}: Redisson's locks, on an application's own Redisson client. */
// Redisson is an automatic module with a stable name. The modules after it are not used in the
// code: Redisson needs them, and an automatic module does not resolve named ones.
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.leasehold.redisson {
  requires transitive dev.leasehold.lock;
  requires dev.leasehold.redis.common;
  requires transitive redisson;
  requires io.netty.handler;
  requires io.netty.resolver.dns;
  requires io.reactivex.rxjava3;
  requires net.bytebuddy;
  requires org.slf4j;
  requires org.yaml.snakeyaml;
  requires static org.jspecify;

  exports dev.leasehold.redisson;

  provides dev.leasehold.lock.spi.LockBackend with
      dev.leasehold.redisson.RedissonBackend;
}
