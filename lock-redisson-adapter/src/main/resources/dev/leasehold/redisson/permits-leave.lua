-- Opens the door if a waiter for permits holds it, and tells the others. After permits.lua.
--
-- KEYS as permits.lua tells
-- ARGV[1] token  ARGV[2] PUBLISH or SPUBLISH
--
-- Reply: how many heard it.
if redis.call('GET', KEYS[4]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[4])
return tell(ARGV[2], sweep() or 0)
