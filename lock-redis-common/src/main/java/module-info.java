/**
 * What the stores on plain Redis keys share: key layout, scripts, replies, errors. It knows no
 * client, and is open to those stores alone.
 */
// The stores are compiled after this module, so javac does not know them here yet.
@SuppressWarnings("module")
module dev.leasehold.redis.common {
  requires transitive dev.leasehold.lock;
  requires static org.jspecify;

  exports dev.leasehold.redis.common to
      dev.leasehold.redisson,
      dev.leasehold.redis.set,
      dev.leasehold.redis.setnx;
}
