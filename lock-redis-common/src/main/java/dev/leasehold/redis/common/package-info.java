/**
 * Key layout, Lua scripts, replies and errors of the stores on plain Redis keys.
 *
 * <p>For what two stores on different clients would otherwise both implement. No types of a client.
 */
@NullMarked
package dev.leasehold.redis.common;

import org.jspecify.annotations.NullMarked;
