-- Releases a side of a read/write lock if the holder has it, and notifies the waiters, as Redisson's RReadWriteLock
-- does. After sides.lua, and lock-redis-common's readwrite-unused.lua.
--
-- KEYS[1], KEYS[2] as in sides.lua   KEYS[3] channel   KEYS[4] end of the holder   KEYS[5] fences
-- ARGV[1] holder  ARGV[2] PUBLISH or SPUBLISH
-- ARGV[3], ARGV[4] the last fencing number used, and the last one drawn; may be missing
--
-- Reply: 0 not the holder's, or expired; 1 released; 2 released, and a client received the message.
--
-- In each process '0' wakes one waiter, '1' all. Redisson notifies no waiter when a writer goes on as a reader,
-- although other readers may then enter; this script does.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
local valid = left(ARGV[1], 1) >= 0
local was = redis.call('HGET', KEYS[1], 'mode')
redis.call('DEL', KEYS[4])
redis.call('HDEL', KEYS[1], ARGV[1])
if valid and ARGV[3] then give_back(ARGV[3], ARGV[4]) end
local mode = sweep(true)
local n = 0
if not mode or mode ~= was then
  -- Waiters find out by polling if notifying fails, hence pcall.
  n = redis.pcall(ARGV[2], KEYS[3], was == 'write' and '1' or '0')
end
if not valid then return 0 end
return type(n) == 'number' and n > 0 and 2 or 1
