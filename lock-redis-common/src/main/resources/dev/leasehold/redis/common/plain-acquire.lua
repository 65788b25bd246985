-- Acquires a lock in plain mode if it is free or already the token's.
--
-- KEYS[1] lock
-- ARGV[1] token  ARGV[2] time to live, ms
--
-- Reply: 1 if granted; -1 - p if another value holds the key for p more ms (1000 if for ever).
if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return 1
end
if redis.call('GET', KEYS[1]) == ARGV[1] then
  -- A client's retry may arrive after a renewal: it must not shorten the lease. But it writes, so that WAIT has a write
  -- to wait for.
  redis.call('PEXPIRE', KEYS[1], math.max(redis.call('PTTL', KEYS[1]), ARGV[2]))
  return 1
end
local left = redis.call('PTTL', KEYS[1])
if left == -1 then left = 1000 elseif left < 0 then left = 0 end
return -1 - left
