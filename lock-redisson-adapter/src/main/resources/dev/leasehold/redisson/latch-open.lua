-- Opens a latch as Redisson's trySetCount does, unless there is one that has not expired. After latch.lua.
--
-- ARGV[1] round  ARGV[2] count  ARGV[3] for how long it is kept, ms  ARGV[4] PUBLISH or SPUBLISH  ARGV[5] channel
--
-- Reply: 1 the latch is of this round, or the last one was; 0 it is of another.
if round == ARGV[1] then
  redis.call('HSET', KEYS[2], 'round', round) -- so that WAIT has a write to wait for
  return 1
end
if theirs or (round and left > 0) then return 0 end
local before = was_at_zero() and round or ''
local keep = text(ARGV[3] + remembered)
-- The round first: if one of the two keys expires a moment before the other, it has to be the round. A round without
-- its number would look like one at zero.
redis.call('DEL', KEYS[2])
redis.call('HSET', KEYS[2], 'round', ARGV[1], 'passed', before)
redis.call('PEXPIRE', KEYS[2], keep)
redis.call('SET', KEYS[1], ARGV[2], 'PX', keep)
notify(ARGV[4], ARGV[5], '1') -- closes the gate of waiters in plain clients, and wakes none
return 1
