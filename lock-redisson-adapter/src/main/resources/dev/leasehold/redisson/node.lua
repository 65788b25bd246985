-- The beginning of the scripts that take a lock on a node of a quorum: refuses while the server may
-- have forgotten locks. After history.lua of lock-redis-common.
--
-- KEYS[#KEYS] marker, as guard.lua of lock-redis-common tells
-- ARGV[#ARGV] how long this client wants a server to stay out that may have forgotten locks, ms
--
-- Asks the server itself which of its runs this is: a connection of Redisson's may lead to another
-- run than what was sent before it.
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local mark = redis.call('HMGET', KEYS[#KEYS], 'run', 'since', 'longest', 'replid')
if is_other(mark, run) then
  return redis.error_reply('QUARANTINE unknown run of the server')
end
local longest = tonumber(mark[3] or 0)
if longest < tonumber(ARGV[#ARGV]) then
  longest = tonumber(ARGV[#ARGV])
  redis.call('HSET', KEYS[#KEYS], 'longest', ARGV[#ARGV])
end
local clock = redis.call('TIME')
local wait = mark[2] + longest - clock[1] * 1000 - math.floor(clock[2] / 1000)
if wait > 0 then
  return redis.error_reply('QUARANTINE the server may have forgotten locks, it votes in ' .. wait .. ' ms')
end
