-- Notes that a client of a quorum has met this run of the server, and the longest lease it uses. After
-- history.lua.
--
-- KEYS[1] marker, as guard.lua tells   ARGV[1] run id   ARGV[2] how long it stays out, ms
--
-- Reply: for how many ms the server does not vote yet.
--
-- A marker that is missing, of another run or of other data, means that something may be forgotten, be
-- it a second of writes: whoever held a lock then, at most for the longest lease, has lost it when that
-- has passed.
local mark = redis.call('HMGET', KEYS[1], 'run', 'since', 'longest', 'replid')
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local since = mark[2]
if is_other(mark, ARGV[1]) then
  since = string.format('%.0f', now)
end
local longest = math.max(tonumber(mark[3] or 0), tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], 'run', ARGV[1], 'since', since, 'longest', string.format('%.0f', longest),
  'replid', replid)
return math.max(0, since + longest - now)
