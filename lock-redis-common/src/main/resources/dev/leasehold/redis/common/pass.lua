-- The end of release.lua and leave.lua: wakes the first waiter that listens, and reserves the lock for it. After free.lua
-- and pass-on.lua.
--
-- KEYS[1] lock   KEYS[2] waiters
-- ARGV[2] PUBLISH or SPUBLISH  ARGV[3] channel prefix  ARGV[4] message
-- ARGV[5] '1' if the count of receivers is complete, '0' if it covers only this node's
-- ARGV[6] for how long the lock is reserved, ms
--
-- Reply: 1 freed; 2 freed and woke a waiter; 3 freed, woke a waiter and reserved the lock for it.
return pass_on(KEYS[1], KEYS[2], ways_from(2), function() return first_of(KEYS[2]) end)
