/**
 * The backend {@code redis-setnx}: schemes that begin with {@code SETNX}, on Jedis.
 *
 * <pre>
 * RedisSetnxLocks, RedisSetnxBackend   the public API
 *   JedisDriver                         setnx-script: a script in one conversation
 *   TimestampStore                      setnx-timestamp: WATCH and MULTI, no script on the server
 *   ForeignFormatStore                  the timestamp formats of existing clients
 *     Redis, Conversation               exclusive use of one connection for several round trips
 *     WakeListener                      one thread for all wake-ups of a store
 * </pre>
 *
 * <p>A conversation runs on a thread of the manager. With {@code setnx-script} it may also run on
 * the thread of a blocking lock operation that waits for it, if a connection is idle ({@link
 * dev.leasehold.redis.setnx.CallersConversation}).
 *
 * <p>This package has what Jedis needs, and the schemes. What does not depend on the client belongs
 * in {@code lock-redis-common}.
 */
@NullMarked
package dev.leasehold.redis.setnx;

import org.jspecify.annotations.NullMarked;
