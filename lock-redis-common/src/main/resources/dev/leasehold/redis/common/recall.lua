-- Asks the manager that has a lease to give it back. Whether its token has the lock is not checked: on a quorum this
-- node may be one that never granted it, and a manager ignores a recall of what it no longer has.
--
-- KEYS[1] lock, for its slot   ARGV[1] PUBLISH or SPUBLISH   ARGV[2] channel   ARGV[3] message
--
-- Reply: how many received it, as far as the server knows.
return redis.call(ARGV[1], ARGV[2], ARGV[3])
