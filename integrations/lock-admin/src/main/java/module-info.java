/**
 * Who holds what on Redis or Valkey, for operators and their tools: {@link
 * dev.leasehold.admin.LockAdmin}.
 */
// Lettuce and Netty are automatic modules with stable names.
@SuppressWarnings("requires-automatic")
module dev.leasehold.admin {
  requires transitive dev.leasehold.lock;
  requires dev.leasehold.redis.common;
  requires dev.leasehold.redis.set;
  requires io.netty.common;
  requires lettuce.core;
  requires static org.jspecify;

  exports dev.leasehold.admin;
}
