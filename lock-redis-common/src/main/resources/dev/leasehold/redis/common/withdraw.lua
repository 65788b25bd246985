-- The end of a release that wakes nobody, where grants follow the order of arrival. After release.lua.
--
-- A vote that was split is given back so by a waiter, which comes again. To pass it on would be to pass a waiter
-- by that is the first on other nodes.
--
-- KEYS[1] lock
--
-- Reply: 1 freed.
redis.call('DEL', KEYS[1])
return 1
