-- The end of release.lua and leave.lua: frees a lock, wakes the first waiter that listens, and keeps the
-- lock for it. After pass-on.lua.
--
-- KEYS[1] lock   KEYS[2] waiters
-- ARGV[2] PUBLISH or SPUBLISH  ARGV[3] what channels begin with  ARGV[4] message
-- ARGV[5] '1' if the count of receivers is true, '0' if it counts those of this node alone
-- ARGV[6] for how long it is kept, ms
--
-- Reply: 1 freed; 2 freed and woke a waiter; 3 freed, woke a waiter and keeps the lock for it.
redis.call('DEL', KEYS[1])
return pass_on(KEYS[1], KEYS[2], ways_from(2), function() return first_of(KEYS[2]) end)
