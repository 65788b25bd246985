/**
 * What the stores on plain Redis keys share: key layout, scripts, replies, errors, and the store
 * that uses them. Independent of the client, and exported only to those stores, and to the tool
 * that looks at their keys.
 */
// The stores are compiled after this module, so javac does not know their modules yet.
@SuppressWarnings("module")
module dev.leasehold.redis.common {
  requires transitive dev.leasehold.lock;
  requires static org.jspecify;

  exports dev.leasehold.redis.common to
      dev.leasehold.admin,
      dev.leasehold.redisson,
      dev.leasehold.redis.set,
      dev.leasehold.redis.setnx;
}
