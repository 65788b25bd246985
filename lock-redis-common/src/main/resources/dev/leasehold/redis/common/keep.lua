-- Releases a lock that the token has, and keeps it taken for a while: its value becomes a tombstone, '-' and the token,
-- which every other script takes for another token's. It expires by itself, and wakes no waiter. After marks.lua.
--
-- KEYS[1] lock
-- ARGV[1] token  ARGV[2] rest of the minimum hold, ms
--
-- Reply: 1 the tombstone is there; 0 not the token's, nothing was changed.
--
-- It only shortens: the lock stays for that rest, or for its own time to live if that is shorter. An existing tombstone
-- stays as it is, so that a retry, or a delayed request, prolongs nothing.
local v = unmarked(redis.call('GET', KEYS[1]))
if v == '-' .. ARGV[1] then
  return 1
end
if v ~= ARGV[1] then
  return 0
end
local left = redis.call('PTTL', KEYS[1])
local rest = tonumber(ARGV[2])
if left >= 0 and left < rest then rest = math.max(left, 1) end
-- DEL first: once a script has written, Redis no longer refuses its commands for lack of memory.
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], '-' .. ARGV[1], 'PX', string.format('%.0f', rest))
return 1
