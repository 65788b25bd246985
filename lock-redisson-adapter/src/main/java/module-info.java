/** The backend {@code redisson}: Redisson's locks, on an application's own Redisson client. */
// Redisson is an automatic module under a stable name. What follows it is never named in the code:
// Redisson needs it, and an automatic module does not pull named ones in.
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
