-- Releases a fair lock if the token has it, and notifies the first waiter, as Redisson's RFairLock does. After
-- line.lua.
--
-- KEYS[1] lock   KEYS[2] channel   KEYS[3] queue   KEYS[4] ends of places
-- ARGV[1] token  ARGV[2] PUBLISH or SPUBLISH
--
-- Reply: 0 not the token's, nothing was changed; 1 freed; 2 freed, and a waiter received the message.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('DEL', KEYS[1])
if wake(ARGV[2], KEYS[2]) then return 2 end
return 1
