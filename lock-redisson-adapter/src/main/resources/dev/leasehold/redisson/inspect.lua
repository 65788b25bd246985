-- Looks up a lock's holder.
--
-- KEYS[1] lock   KEYS[2] fence
--
-- Reply: nil if it is free, else holder, time to live in ms (-1: none) and fence (nil: none).
local holders = redis.call('HKEYS', KEYS[1])
if not holders[1] then
  return false
end
return { holders[1], redis.call('PTTL', KEYS[1]), redis.call('GET', KEYS[2]) }
