-- The beginning of the scripts that take a lock on a node of a quorum: refuses while the server may
-- have forgotten locks. After history.lua.
--
-- KEYS[#KEYS] marker   ARGV[#ARGV - 1] run id of the server that the connection leads to
-- ARGV[#ARGV] how long this client wants a server to stay out that may have forgotten locks, ms
--
-- The marker is a hash: 'run', the run that it tells of; 'since', server time in ms when that run was
-- first met with its present data; 'longest', how long it stays out then, ms; 'replid', the replication
-- id of its data. enter.lua writes it.
local mark = redis.call('HMGET', KEYS[#KEYS], 'run', 'since', 'longest', 'replid')
if is_other(mark, ARGV[#ARGV - 1]) then
  return redis.error_reply('QUARANTINE unknown run of the server')
end
local longest = tonumber(mark[3] or 0)
if longest < tonumber(ARGV[#ARGV]) then
  longest = tonumber(ARGV[#ARGV])
  redis.call('HSET', KEYS[#KEYS], 'longest', ARGV[#ARGV])
end
local clock = redis.call('TIME')
local left = mark[2] + longest - clock[1] * 1000 - math.floor(clock[2] / 1000)
if left > 0 then
  return redis.error_reply('QUARANTINE the server may have forgotten locks, it votes in ' .. left .. ' ms')
end
