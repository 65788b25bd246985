-- The data of a read/write lock, for the scripts of locks with several holders (line.lua and several-*.lua).
--
-- KEYS[1] readers   KEYS[2] waiters   KEYS[3] door   KEYS[4] writer   KEYS[5] fences   KEYS[6] ends of places
--
-- The readers are a sorted set by the end of their leases, server time in ms: '1:token', or '+1:token' if the lock is
-- reserved for a reader that was woken. Each call removes expired entries. The writer is a string with a time to live:
-- the token, or '+token' if the lock is reserved for it. The fences are a hash of two counters: 'fence', which no
-- fencing token exceeds, and 'wfence', which no writer's exceeds. Both live for a day after the latest grant.
--
-- A mode, here and in line.lua, is 'r' or 'w'. ARGV[5] of an acquisition: the token of a writer with the same owner,
-- which a reader may hold the lock beside; or nothing.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
local ends = KEYS[6]

local function mark_of(mode, token)
  if mode == 'r' then
    if redis.call('ZSCORE', KEYS[1], '1:' .. token) then return '' end
    if redis.call('ZSCORE', KEYS[1], '+1:' .. token) then return '+' end
  else
    local writer = redis.call('GET', KEYS[4])
    if writer == token then return '' end
    if writer == '+' .. token then return '+' end
  end
end

-- Whether nothing is left for any mode.
local function is_full()
  return redis.call('EXISTS', KEYS[4]) == 1
end

local function fits(mode)
  return redis.call('EXISTS', KEYS[4]) == 0 and (mode == 'r' or redis.call('ZCARD', KEYS[1]) == 0)
end

local function hold(mode, token, mark, ttl)
  if mode == 'r' then
    redis.call('ZADD', KEYS[1], string.format('%.0f', now + ttl), mark .. '1:' .. token)
    if redis.call('PTTL', KEYS[1]) < ttl then
      redis.call('PEXPIRE', KEYS[1], string.format('%.0f', ttl))
    end
  else
    redis.call('SET', KEYS[4], mark .. token, 'PX', string.format('%.0f', ttl))
  end
end

local function drop(mode, token, mark)
  if mode == 'r' then
    redis.call('ZREM', KEYS[1], mark .. '1:' .. token)
  else
    redis.call('DEL', KEYS[4])
  end
end

local function prolong(mode, token, ttl)
  if mode == 'r' then
    local ends = redis.call('ZSCORE', KEYS[1], '1:' .. token)
    if tonumber(ends) < now + ttl then hold(mode, token, '', ttl) end
  elseif redis.call('PTTL', KEYS[4]) < ttl then
    redis.call('PEXPIRE', KEYS[4], string.format('%.0f', ttl))
  end
end

-- Removes the reservations that stand in a mode's way.
local function keep_nothing_from(mode)
  local writer = redis.call('GET', KEYS[4])
  if writer and string.sub(writer, 1, 1) == '+' then redis.call('DEL', KEYS[4]) end
  if mode == 'r' then return end
  for _, reader in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    if string.sub(reader, 1, 1) == '+' then redis.call('ZREM', KEYS[1], reader) end
  end
end

-- Whether a mode need not queue: a writer that reads too; or a client that has a majority of a quorum (10^15, as in
-- acquire.lua), which no reservation holds up.
local function goes_first(mode)
  if tonumber(ARGV[8]) >= 1000000000000000 then
    keep_nothing_from(mode)
    return fits(mode)
  end
  return mode == 'r' and ARGV[5] ~= '' and redis.call('GET', KEYS[4]) == ARGV[5]
end

-- For how many ms nothing changes by itself; 1000 if that is unknown.
local function no_end_before()
  local writer = redis.call('PTTL', KEYS[4])
  if writer >= 0 then return writer end
  local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return first[2] and math.max(0, first[2] - now) or 1000
end

-- Whether the caller's own share is free, where it asks for a particular one.
local function may_take()
  return true
end

-- The reply of a refused acquisition.
local function refused(mode, waiter, shut)
  return -1 - no_end_before()
end
