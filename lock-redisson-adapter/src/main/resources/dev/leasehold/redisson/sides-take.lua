-- Acquires a side of a read/write lock as Redisson's RReadWriteLock does, or one that is already the holder's. After
-- sides.lua, and lock-redis-common's readwrite-fence.lua.
--
-- KEYS[1], KEYS[2] as in sides.lua   KEYS[3] channel   KEYS[4] end of the holder   KEYS[5] fences
-- ARGV[1] holder: the token, with ':write' appended for a writer  ARGV[2] time to live, ms  ARGV[3] 'r' or 'w'
-- ARGV[4] a writer with the same owner, which a reader may hold the lock beside; or nothing
-- ARGV[5] to ARGV[13] nothing   ARGV[14] how many numbers after the fence to set aside for a writer's hand-overs
--
-- Reply: -1 - p if refused, where nothing changes by itself for p more ms; if granted, as in readwrite-fence.lua. A
-- token that already has the side keeps the longer of the two times to live.
local function longer(key, ttl)
  -- Written even if it is as long already, so that WAIT has a write to wait for.
  local rest = redis.call('PTTL', key)
  if rest >= -1 and rest <= ttl then redis.call('PEXPIRE', key, ttl) end
end

local function has(holder)
  return redis.call('HEXISTS', KEYS[1], holder) == 1 and left(holder, 1) >= 0
end

local ttl = tonumber(ARGV[2])
if has(ARGV[1]) then
  longer(KEYS[4], ttl)
  longer(KEYS[1], ttl)
  return granted(ARGV[3], false)
end
local mode = redis.call('HGET', KEYS[1], 'mode')
local beside = mode == 'write' and ARGV[4] ~= '' and has(ARGV[4])
local rest, writing
if ARGV[3] == 'w' or (mode == 'write' and not beside) then
  mode, rest, writing = sweep(false)
  if ARGV[3] == 'r' then rest = writing end
end
if not mode and redis.call('EXISTS', KEYS[1]) == 1 then
  mode, rest = 'lock', redis.call('PTTL', KEYS[1])
  if rest == -1 then rest = math.huge end
end
if not mode then
  redis.call('HSET', KEYS[1], 'mode', ARGV[3] == 'w' and 'write' or 'read')
elseif ARGV[3] == 'w' or (mode ~= 'read' and not beside) then
  return -1 - (rest < math.huge and math.max(0, rest) or 1000)
end
local endless = mode and redis.call('PTTL', KEYS[1]) == -1
redis.call('HSET', KEYS[1], ARGV[1], 1)
redis.call('SET', KEYS[4], 1, 'PX', ttl)
if not endless then longer(KEYS[1], ttl) end
return granted(ARGV[3], true)
