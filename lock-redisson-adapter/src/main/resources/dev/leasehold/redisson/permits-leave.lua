-- Opens the door if this waiter for permits holds it, and notifies the others. After permits.lua.
--
-- KEYS as in permits.lua
-- ARGV[1] token  ARGV[2] PUBLISH or SPUBLISH
--
-- Reply: how many received the message.
if redis.call('GET', KEYS[4]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[4])
return notify(ARGV[2], sweep() or 0)
