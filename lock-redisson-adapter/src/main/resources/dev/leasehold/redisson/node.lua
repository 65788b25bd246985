-- The beginning of the scripts that acquire a lock on a node of a quorum: as lock-redis-common's guard.lua. After its
-- voters.lua.
--
-- KEYS[#KEYS] marker, as in guard.lua
-- ARGV[#ARGV - 2] lists of nodes of this client, or '-'   ARGV[#ARGV - 1] their names, or '-'
-- ARGV[#ARGV] how long this client wants a server to stay out that may have lost locks, ms
--
-- Asks the server itself which of its runs this is: a connection of Redisson may lead to another run than an earlier
-- request did.
local refusal = no_vote(
  KEYS[#KEYS], redis.call('HMGET', KEYS[#KEYS], 'run', 'since', 'longest', 'replid', 'voters', 'clients'),
  string.match(redis.call('INFO', 'server'), 'run_id:(%w+)'), tonumber(ARGV[#ARGV]), ARGV[#ARGV - 2],
  ARGV[#ARGV - 1])
if refusal then return refusal end

-- The rest of the script; vote.lua ends it.
local function vote()
