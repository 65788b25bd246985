/**
 * Locks on {@code SET key token NX PX ttl}, on Lettuce.
 *
 * <p>{@link dev.leasehold.redis.set.RedisSetBackend} is found by settings; {@link
 * dev.leasehold.redis.set.RedisSetLocks} puts locks on an application's own client. What may come
 * in: what is special to this scheme and to Lettuce; what another client would need too belongs to
 * lock-redis-common.
 */
@NullMarked
package dev.leasehold.redis.set;

import org.jspecify.annotations.NullMarked;
