/**
 * Key layout, Lua scripts, replies and errors of the stores on plain Redis keys.
 *
 * <p>What may come in: what two stores on different clients would otherwise write twice. No client
 * type.
 */
@NullMarked
package dev.leasehold.redis.common;

import org.jspecify.annotations.NullMarked;
