-- Asks the manager that has a lease to give it back.
--
-- KEYS[1] lock   ARGV[1] the lease's token
-- ARGV[2] PUBLISH or SPUBLISH  ARGV[3] channel  ARGV[4] message
--
-- Reply: how many received it, as far as the server knows; none if the token no longer has the lock.
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call(ARGV[2], ARGV[3], ARGV[4]) end
