-- Gives a side of a read/write lock back, if the holder has it, and tells those who wait, as Redisson's
-- RReadWriteLock does. After sides.lua, and readwrite-unused.lua of lock-redis-common.
--
-- KEYS[1], KEYS[2] as sides.lua tells   KEYS[3] channel   KEYS[4] end of the holder   KEYS[5] fences
-- ARGV[1] holder  ARGV[2] PUBLISH or SPUBLISH
-- ARGV[3], ARGV[4] the last fencing number that was used, and the last one that was given; may be missing
--
-- Reply: 0 not the holder's, or over; 1 given back; 2 given back, and somebody heard it.
--
-- Of each process '0' wakes one waiter, '1' all. Redisson's tells nobody when a writer goes on as a reader;
-- others may read then.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
local valid = left(ARGV[1], 1) >= 0
local was = redis.call('HGET', KEYS[1], 'mode')
redis.call('DEL', KEYS[4])
redis.call('HDEL', KEYS[1], ARGV[1])
if valid and ARGV[3] then give_back(ARGV[3], ARGV[4]) end
local mode = sweep(true)
local n = 0
if not mode or mode ~= was then
  -- Waiters find out by asking if telling fails, hence pcall.
  n = redis.pcall(ARGV[2], KEYS[3], was == 'write' and '1' or '0')
end
if not valid then return 0 end
return type(n) == 'number' and n > 0 and 2 or 1
