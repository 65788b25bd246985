-- Reads the server's clock, which orders arrivals in the queues of a quorum. It has no keys.
--
-- Reply: microseconds since 1970.
local clock = redis.call('TIME')
return clock[1] * 1000000 + clock[2]
