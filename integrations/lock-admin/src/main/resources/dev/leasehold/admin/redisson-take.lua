-- Takes a free lock as Redisson's RLock does. After it comes lock-redis-common's fence.lua, which draws the fence.
--
-- KEYS[1] lock: a hash, holder -> hold count   KEYS[2] fence
-- ARGV[1] token  ARGV[2] time to live, ms
--
-- Reply: -1 - p if the lock is held for p more ms; if granted, as in fence.lua.
local proposed = 0
local asked = 0
local taken = redis.call('EXISTS', KEYS[1]) == 0
if not taken then
  return -1 - math.max(0, redis.call('PTTL', KEYS[1]))
end
redis.call('HSET', KEYS[1], ARGV[1], 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
