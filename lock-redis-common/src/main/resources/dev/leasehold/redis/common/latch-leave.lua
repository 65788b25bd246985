-- Removes a waiter for a latch.
--
-- KEYS[3] waiters   (as in latch.lua)
-- ARGV[1] "store:token"
--
-- Reply: means nothing.
return redis.call('ZREM', KEYS[3], ARGV[1])
