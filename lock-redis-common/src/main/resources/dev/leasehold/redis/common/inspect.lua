-- Looks up a lock's holder. After marks.lua.
--
-- KEYS[1] lock   KEYS[2] fence
--
-- Reply: nil if there is no holder, be the lock free or reserved for a waiter (pass-on.lua); else token, time to live
-- in ms (-1: none) and fence (nil: none).
local v = unmarked(redis.call('GET', KEYS[1]))
if not v or string.sub(v, 1, 1) == '+' then
  return false
end
return { v, redis.call('PTTL', KEYS[1]), redis.call('GET', KEYS[2]) }
