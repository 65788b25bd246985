-- Opens a latch, unless there is one that has not expired. After latch.lua.
--
-- ARGV[1] round  ARGV[2] count  ARGV[3] for how long it is kept, ms
--
-- Reply: 1 the latch is of this round; 0 it is of another.
if round == ARGV[1] then
  redis.call('HSET', KEYS[1], 'round', round) -- so that WAIT has something to wait for
  return 1
end
if round and left > 0 then return 0 end
-- No client retries for so long a count-down of an earlier round.
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', text(now - an_hour))
redis.call('HSET', KEYS[1], 'round', ARGV[1], 'count', ARGV[2], 'passed', count == '0' and round or '')
redis.call('PEXPIRE', KEYS[1], text(ARGV[3] + remembered))
return 1
