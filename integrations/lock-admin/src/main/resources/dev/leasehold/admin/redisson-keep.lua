-- Ends a hold of an RLock if its hash has exactly the field that was seen, and keeps the lock taken for as long as it
-- would have been: the field becomes '-' and the former one, as after a minimum hold of Leasehold's on Redisson's keys.
-- Redisson's clients take it for another holder. It ends with the key, and wakes no waiter.
--
-- KEYS[1] lock: a hash, holder -> hold count
-- ARGV[1] field
--
-- Reply: 1 it is kept; 0 another hash, or one without an end: nothing was changed.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 or redis.call('HLEN', KEYS[1]) ~= 1 then return 0 end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], '-' .. ARGV[1], 1)
redis.call('PEXPIRE', KEYS[1], math.max(left, 1))
return 1
