/**
 * The protocol of the stores on plain Redis keys: key layout, Lua scripts, replies and errors, and
 * {@linkplain dev.leasehold.redis.common.FencedStore the store} that speaks it, over a {@linkplain
 * dev.leasehold.redis.common.RedisDriver driver} for each client.
 *
 * <p>For what two stores on different clients would otherwise both implement. No types of a client.
 */
@NullMarked
package dev.leasehold.redis.common;

import org.jspecify.annotations.NullMarked;
