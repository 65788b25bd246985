-- Counts a latch down by one as Redisson's countDown does, but once for each token. After latch.lua.
--
-- ARGV[1] token of this count-down  ARGV[2] PUBLISH or SPUBLISH  ARGV[3] channel
--
-- Reply: 1 it counted, now or before; 0 there was nothing to count down.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local counted = redis.call('ZSCORE', KEYS[3], ARGV[1])
if counted then
  -- So that WAIT has a write to wait for; a ZADD that changes nothing is not replicated.
  redis.call('PEXPIRE', KEYS[3], an_hour)
  return 1
end
if not stored or missing == 0 or not (theirs or left > 0) then return 0 end
-- No client retries older count-downs for so long; a batch at a time, since the server is blocked meanwhile.
local old = redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', text(now - an_hour), 'LIMIT', 0, 100)
if old[1] then redis.call('ZREM', KEYS[3], unpack(old)) end
redis.call('ZADD', KEYS[3], text(now), ARGV[1])
redis.call('PEXPIRE', KEYS[3], an_hour)
if redis.call('INCRBY', KEYS[1], -1) <= 0 then
  redis.call('DEL', KEYS[1])
  notify(ARGV[2], ARGV[3], '0')
end
return 1
