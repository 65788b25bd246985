-- Removes a waiter for a lock with several holders from the queue, with its reservation, and serves the waiters behind
-- it. After line.lua.
--
-- ARGV[1] token  ARGV[2] mode  ARGV[3] to ARGV[7] as ARGV[9] to ARGV[13] of several-acquire.lua
-- ARGV[8] store and token
--
-- Reply: how many were woken.
local me = ARGV[2] .. ' ' .. ARGV[8]
redis.call('ZREM', KEYS[2], me)
redis.call('ZREM', ends, me)
if redis.call('GET', KEYS[3]) == me then redis.call('DEL', KEYS[3]) end
if mark_of(ARGV[2], ARGV[1]) == '+' then drop(ARGV[2], ARGV[1], '+') end
return (serve(ways_from(3)))
