-- Removes a waiter from the queue; if the lock is free, notifies the first one left. After line.lua.
--
-- KEYS[1] lock   KEYS[2] channel   KEYS[3] queue   KEYS[4] ends of places
-- ARGV[1] token  ARGV[2] PUBLISH or SPUBLISH
--
-- Reply: 1 if a waiter was notified, else 0.
if redis.call('ZREM', KEYS[4], ARGV[1]) == 1 then redis.call('LREM', KEYS[3], 0, ARGV[1]) end
if redis.call('EXISTS', KEYS[1]) == 0 and wake(ARGV[2], KEYS[2]) then return 1 end
return 0
