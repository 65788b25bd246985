-- Counts a latch down by one; at zero it wakes all waiters. After latch.lua.
--
-- ARGV[1] token of this count-down
-- ARGV[2] PUBLISH or SPUBLISH  ARGV[3] channel prefix  ARGV[4] message
--
-- Reply: 1 it counted, now or before; 0 there was nothing to count down.
--
-- Only the stores of the first thousand waiters are notified: the server is blocked meanwhile. Others find out by
-- polling.
if redis.call('ZSCORE', KEYS[2], ARGV[1]) then
  -- So that WAIT has a write to wait for; a ZADD that changes nothing is not replicated.
  redis.call('PEXPIRE', KEYS[2], text(math.max(redis.call('PTTL', KEYS[2]), an_hour)))
  return 1
end
if not round or left <= 0 or count == '0' then return 0 end
redis.call('ZADD', KEYS[2], text(now), ARGV[1])
redis.call('PEXPIRE', KEYS[2], text(left + an_hour))
redis.call('HSET', KEYS[1], 'count', text(count - 1))
if count == '1' then
  local notified = {}
  for _, waiter in ipairs(redis.call('ZRANGE', KEYS[3], 0, 999)) do
    local store = string.match(waiter, '^[^:]*')
    if not notified[store] then
      notified[store] = true
      redis.pcall(ARGV[2], ARGV[3] .. store, ARGV[4])
    end
  end
  redis.call('DEL', KEYS[3])
end
return 1
