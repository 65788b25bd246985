-- Opens a latch, unless one is there that is not over. After latch.lua.
--
-- ARGV[1] round  ARGV[2] count  ARGV[3] for how long it is kept, ms
--
-- Reply: 1 this round is the latch that is there; 0 another one is.
if round == ARGV[1] then
  redis.call('HSET', KEYS[1], 'round', round) -- so that WAIT has something to wait for
  return 1
end
if round and left > 0 then return 0 end
-- Nobody repeats for so long what was counted in rounds before.
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', text(now - an_hour))
redis.call('HSET', KEYS[1], 'round', ARGV[1], 'count', ARGV[2], 'passed', count == '0' and round or '')
redis.call('PEXPIRE', KEYS[1], text(ARGV[3] + remembered))
return 1
