-- For how long a node of a quorum does not vote yet. Writes nothing. After history.lua and voters.lua.
--
-- KEYS[1] marker, as in enter.lua
-- ARGV[1] the longest lease, ms
--
-- Reply: ms; the longest lease, which is then counted from the first client that comes, if none has met this run or
-- this data yet.
local mark = redis.call('HMGET', KEYS[1], 'run', 'since', 'longest', 'replid', 'voters', 'clients')
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local clients, voters = known_in(mark, now)
local since = is_other(mark, run) and now or math.min(tonumber(mark[2]), now)
return math.max(0, since + stays_out(clients, voters, since, tonumber(ARGV[1])) - now)
