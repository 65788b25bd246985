-- Looks up the holder of a lock in plain mode.
--
-- KEYS[1] lock
--
-- Reply: nil if it is free, else value and time to live in ms (-1: none).
local v = redis.call('GET', KEYS[1])
if not v then
  return false
end
return { v, redis.call('PTTL', KEYS[1]) }
