-- The beginning of the scripts that acquire a lock on a node of a quorum: refuses while the server may have lost locks,
-- and refuses clients whose lists of nodes differ from those of clients that it voted for. After usual.lua and
-- voters.lua.
--
-- KEYS[#KEYS] marker
-- ARGV[#ARGV - 3] lists of nodes of this client, or '-'   ARGV[#ARGV - 2] their names, or '-'   (as in voters.lua)
-- ARGV[#ARGV - 1] run id of the server at the other end of the connection, or '?' from a client whose connection may
-- lead to another run than its earlier requests did: then the server itself is asked
-- ARGV[#ARGV] how long this client wants a server to stay out that may have lost locks, ms
--
-- The marker is a hash: 'run', the server run that it belongs to; 'since', server time in ms when that run was first
-- seen with its present data; 'replid', the replication id of its data; 'id', the node's own id; 'clients', 'voters'
-- and 'longest', which give how long it stays out, as in voters.lua. enter.lua writes it.
local longest, lists, names, run = tonumber(ARGV[#ARGV]), ARGV[#ARGV - 3], ARGV[#ARGV - 2], ARGV[#ARGV - 1]
if run == '?' then run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') end
if is_other(marker, run) then
  return redis.error_reply('QUARANTINE unknown run of the server')
end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local clients, voters = known_in(marker, now)
local since = met_at(KEYS[#KEYS], marker[2], now)
local left = since + stays_out(clients, voters, since, longest) - now
if left > 0 then
  remember(KEYS[#KEYS], marker, clients, voters) -- so that what an older version wrote counts from now
  return redis.error_reply('QUARANTINE the server may have forgotten locks, it votes in ' .. left .. ' ms')
end
note_vote = function()
  votes_for(voters, now, longest, lists, names)
  remember(KEYS[#KEYS], marker, clients, voters)
end
local refusal = other_nodes(voters, now, lists, names)
if refusal then return refusal end
end -- of what usual.lua begins

-- The rest of the script; vote.lua ends it.
local function vote()
