-- Records that a client of a quorum has seen this run of the server and is still active: each client repeats it before
-- half of its longest lease has passed. After voters.lua.
--
-- KEYS[1] marker, as in guard.lua
-- ARGV[1] run id   ARGV[2] how long this client wants the server to stay out, ms
-- ARGV[3] '1' if it had votes of this node before, and hence may hold locks; else '0'
-- ARGV[4] the node's id as this client knows it, or ''
--
-- Reply: for how many ms the server does not yet vote for this client; the node's id, or '' while it has none.
--
-- A marker that is missing, or belongs to another run or to other data, means that writes may be lost, even if only the
-- last second of them: a lock held at that time has expired once the longest lease has passed.
--
-- A node that has lost its id gets it back from a client that knows it. Once the node votes, no such client can be
-- left, so it gets a new one.
local mark = redis.call('HMGET', KEYS[1], 'run', 'since', 'longest', 'replid', 'voters', 'clients', 'id')
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local longest = tonumber(ARGV[2])
local clients, voters = known_in(mark, now)
local since = is_other(mark, ARGV[1]) and now or met_at(KEYS[1], mark[2], now)
enters(clients, since, now, longest)
if ARGV[3] == '1' then votes_for(voters, now, longest, '-', '-') end
local left = math.max(0, since + stays_out(clients, voters, since, longest) - now)
local id = mark[7] or ARGV[4]
if id == '' and left == 0 then id = string.sub(ARGV[1], 1, 12) end
local replid = string.match(replication, 'master_replid:(%w+)')
redis.call('HSET', KEYS[1], 'run', ARGV[1], 'since', string.format('%.0f', since), 'replid', replid)
if id ~= '' then redis.call('HSET', KEYS[1], 'id', id) end
remember(KEYS[1], mark, clients, voters)
return { left, id }
