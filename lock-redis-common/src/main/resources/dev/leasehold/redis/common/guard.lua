-- The beginning of the scripts that take a lock on a node of a quorum: refuses while the server may have forgotten
-- locks, and clients whose lists of nodes are others than those of clients that it voted for. After voters.lua.
--
-- KEYS[#KEYS] marker
-- ARGV[#ARGV - 3] lists of nodes of this client, or '-'   ARGV[#ARGV - 2] their names, or '-'   (as voters.lua tells)
-- ARGV[#ARGV - 1] run id of the server that the connection leads to
-- ARGV[#ARGV] how long this client wants a server to stay out that may have forgotten locks, ms
--
-- The marker is a hash: 'run', the run that it tells of; 'since', server time in ms when that run was first met with
-- its present data; 'replid', the replication id of its data; 'id', the node's own; 'clients', 'voters' and 'longest',
-- for how long it stays out, as voters.lua tells. enter.lua writes it.
local refusal = no_vote(
  KEYS[#KEYS], redis.call('HMGET', KEYS[#KEYS], 'run', 'since', 'longest', 'replid', 'voters', 'clients'),
  ARGV[#ARGV - 1], tonumber(ARGV[#ARGV]), ARGV[#ARGV - 3], ARGV[#ARGV - 2])
if refusal then return refusal end

-- The rest of the script; vote.lua ends it.
local function vote()
