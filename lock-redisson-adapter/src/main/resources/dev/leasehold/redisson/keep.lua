-- Releases a lock that the token has, and keeps it taken for a while: the field of its hash becomes a tombstone, '-'
-- and the token, which plain Redisson clients take for another holder. It expires with the key, and wakes no waiter.
--
-- KEYS[1] lock: a hash, holder -> hold count
-- ARGV[1] token  ARGV[2] rest of the minimum hold, ms
--
-- Reply: 1 the tombstone is there; 0 not the token's, nothing was changed.
--
-- It only shortens: the lock stays for that rest, or for its own time to live if that is shorter. An existing tombstone
-- stays as it is, so that a retry, or a delayed request, prolongs nothing.
local tombstone = '-' .. ARGV[1]
if redis.call('HEXISTS', KEYS[1], tombstone) == 1 then
  return 1
end
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
local left = redis.call('PTTL', KEYS[1])
local rest = tonumber(ARGV[2])
if left >= 0 and left < rest then rest = math.max(left, 1) end
-- DEL first: once a script has written, Redis no longer refuses its commands for lack of memory.
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], tombstone, 1)
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', rest))
return 1
