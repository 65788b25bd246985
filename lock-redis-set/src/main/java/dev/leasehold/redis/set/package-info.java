/**
 * Locks on {@code SET key token NX PX ttl}, on Lettuce.
 *
 * <p>{@link dev.leasehold.redis.set.RedisSetBackend} is found by settings; {@link
 * dev.leasehold.redis.set.RedisSetLocks} makes locks on an application's own client. This package
 * has what is specific to this scheme and to Lettuce; what another client would also need belongs
 * in lock-redis-common.
 */
@NullMarked
package dev.leasehold.redis.set;

import org.jspecify.annotations.NullMarked;
