-- Lets a lock go that the token has, and keeps it taken for a while: the field of its hash becomes a
-- tombstone, '-' and the token, which to plain clients of Redisson is another holder. It ends with the
-- key's time to live, and wakes nobody.
--
-- KEYS[1] lock: a hash, holder -> hold count
-- ARGV[1] token  ARGV[2] rest of the minimum hold, ms
--
-- Reply: 1 the tombstone is there; 0 not the token's, nothing was changed.
--
-- It only shortens: the lock stays for the rest, or for as long as it would have. A tombstone that is there
-- already stays as it is, so that a request that is repeated, or comes late, prolongs nothing.
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
-- DEL first: a script that has written is not refused for want of memory.
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], tombstone, 1)
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', rest))
return 1
