-- The beginning of a plain acquisition: acquires a free lock as Redisson's RLock does, or one that is already the
-- token's. Followed by lock-redis-common's fence.lua.
--
-- KEYS[1] lock: a hash, holder -> hold count   KEYS[2] fence
-- ARGV[1] token  ARGV[2] time to live, ms
-- ARGV[3] the fence proposed to a node of a quorum, else 0
-- ARGV[4] how many numbers after the fence to set aside for hand-overs
--
-- Reply: -1 - p if another holder has the lock for p more ms; if granted, as in fence.lua. A token that already has the
-- lock keeps the longer of the two times to live: a client's retry may arrive after a renewal.
local proposed = tonumber(ARGV[3])
local asked = tonumber(ARGV[4])
local taken = redis.call('EXISTS', KEYS[1]) == 0
if taken then
  redis.call('HSET', KEYS[1], ARGV[1], 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
elseif redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
  -- Written even if it is as long already, so that WAIT has a write to wait for.
  redis.call('PEXPIRE', KEYS[1], math.max(redis.call('PTTL', KEYS[1]), ARGV[2]))
else
  local left = redis.call('PTTL', KEYS[1])
  if left == -1 then left = 1000 elseif left < 0 then left = 0 end
  return -1 - left
end
