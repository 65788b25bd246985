-- What a server's clock shows: what arrivals in the lines of a quorum are told by. It has no keys.
--
-- Reply: microseconds since 1970.
local clock = redis.call('TIME')
return clock[1] * 1000000 + clock[2]
