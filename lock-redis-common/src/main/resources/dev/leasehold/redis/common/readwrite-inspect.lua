-- Looks up the holder of a side of a read/write lock: the writer, or the reader with the longest remaining lease.
--
-- KEYS[1] readers   KEYS[4] writer   KEYS[5] fences   (as in readwrite.lua)
-- ARGV[1] 'r' or 'w'
--
-- Reply: nil if there is no holder, else token, time to live in ms and fence. Writes nothing.
local fence = redis.call('HMGET', KEYS[5], 'fence', 'wfence')
if ARGV[1] == 'w' then
  local v = redis.call('GET', KEYS[4])
  if not v or string.sub(v, 1, 1) == '+' then return false end
  return { v, redis.call('PTTL', KEYS[4]), fence[2] }
end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
local token = last[1] and string.match(last[1], '^1:(.*)')
if not token or tonumber(last[2]) <= now then return false end
return { token, last[2] - now, fence[1] }
