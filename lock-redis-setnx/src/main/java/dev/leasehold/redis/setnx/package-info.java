/**
 * The backend {@code redis-setnx}: schemes that begin with {@code SETNX}, on Jedis.
 *
 * <pre>
 * RedisSetnxLocks, RedisSetnxBackend   what users see
 *   ScriptStore                         setnx-script: one script for each operation
 *   TimestampStore                      setnx-timestamp: WATCH and MULTI, no script on the server
 *   ForeignFormatStore                  the timestamp formats of clients that already lock
 *     Redis, Conversation               one conversation on one borrowed connection
 *     WakeListener                      one thread for all wake-ups of a store
 * </pre>
 *
 * <p>A conversation runs on a thread of the manager; with {@code setnx-script} also on that of a
 * blocking lock operation which waits for it, if a connection is at hand ({@link
 * dev.leasehold.redis.setnx.CallersConversation}).
 *
 * <p>What may come in: what Jedis needs, and the schemes. What does not depend on the client stands
 * in {@code lock-redis-common}.
 */
@NullMarked
package dev.leasehold.redis.setnx;

import org.jspecify.annotations.NullMarked;
