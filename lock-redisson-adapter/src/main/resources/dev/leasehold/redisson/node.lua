-- The beginning of the scripts that take a lock on a node of a quorum: as guard.lua of lock-redis-common. After
-- voters.lua there.
--
-- KEYS[#KEYS] marker, as guard.lua tells
-- ARGV[#ARGV - 2] lists of nodes of this client, or '-'   ARGV[#ARGV - 1] their names, or '-'
-- ARGV[#ARGV] how long this client wants a server to stay out that may have forgotten locks, ms
--
-- Asks the server itself which of its runs this is: a connection of Redisson's may lead to another
-- run than what was sent before it.
local refusal = no_vote(
  KEYS[#KEYS], redis.call('HMGET', KEYS[#KEYS], 'run', 'since', 'longest', 'replid', 'voters', 'clients'),
  string.match(redis.call('INFO', 'server'), 'run_id:(%w+)'), tonumber(ARGV[#ARGV]), ARGV[#ARGV - 2],
  ARGV[#ARGV - 1])
if refusal then return refusal end

-- The rest of the script; vote.lua ends it.
local function vote()
