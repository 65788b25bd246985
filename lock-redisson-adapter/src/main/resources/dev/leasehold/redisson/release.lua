-- Releases a plain lock if the token has it, and notifies all its waiters, as Redisson's RLock does. After holds.lua.
--
-- KEYS[1] lock   KEYS[2] channel
-- ARGV[1] token  ARGV[2] PUBLISH or SPUBLISH
--
-- Reply: 0 not the token's, nothing was changed; 1 freed; 2 freed, and a client received the message.
--
-- The lock is free even if notifying fails, hence pcall: then waiters find out by polling.
redis.call('DEL', KEYS[1])
local n = redis.pcall(ARGV[2], KEYS[2], '0')
if type(n) == 'number' and n > 0 then
  return 2
end
return 1
