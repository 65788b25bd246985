-- Opens a latch as Redisson's trySetCount does, unless one is there that is not over. After latch.lua.
--
-- ARGV[1] round  ARGV[2] count  ARGV[3] for how long it is kept, ms  ARGV[4] PUBLISH or SPUBLISH  ARGV[5] channel
--
-- Reply: 1 this round is the latch that is there, or was the last; 0 another one is.
if round == ARGV[1] then
  redis.call('HSET', KEYS[2], 'round', round) -- so that WAIT has something to wait for
  return 1
end
if theirs or (round and left > 0) then return 0 end
local before = was_at_zero() and round or ''
local keep = text(ARGV[3] + remembered)
-- The round first: if one of both ends a moment before the other, then that one. Without its number it would be
-- one that was at zero.
redis.call('DEL', KEYS[2])
redis.call('HSET', KEYS[2], 'round', ARGV[1], 'passed', before)
redis.call('PEXPIRE', KEYS[2], keep)
redis.call('SET', KEYS[1], ARGV[2], 'PX', keep)
tell(ARGV[4], ARGV[5], '1') -- closes the gate of those who wait in plain clients, and wakes nobody
return 1
