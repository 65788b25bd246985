-- Who has a lock.
--
-- KEYS[1] lock   KEYS[2] fence
--
-- Reply: nil if it is free, else token, time to live in ms (-1: none) and fence (nil: none).
local v = redis.call('GET', KEYS[1])
if not v then
  return false
end
return { v, redis.call('PTTL', KEYS[1]), redis.call('GET', KEYS[2]) }
