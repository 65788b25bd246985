-- The end of a release that wakes no waiter, for grants in the order of arrival. After release.lua.
--
-- A waiter whose vote was split gives it back this way, and asks again. Passing it on here would skip a waiter that is
-- first on other nodes.
--
-- KEYS[1] lock
--
-- Reply: 1 freed.
redis.call('DEL', KEYS[1])
return 1
