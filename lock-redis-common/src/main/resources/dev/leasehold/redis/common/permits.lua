-- The data of a semaphore, for the scripts of locks with several holders (line.lua and several-*.lua).
--
-- KEYS[1] holders   KEYS[2] waiters   KEYS[3] door   KEYS[4] number of permits   KEYS[5] ends of places
--
-- The holders are a sorted set by the end of their leases, server time in ms: 'i:token' for the token's permit number
-- i, '+i:token' if it is reserved for a waiter that was woken. Each call removes expired entries. Each permit is an
-- entry of its own, so as many are held as there are entries.
--
-- A mode, here and in line.lua, is how many permits are wanted.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now))
local ends = KEYS[5]

-- The number of permits of a semaphore, of up to seven digits; nil if the text is none.
local function permits_in(text)
  return tonumber(type(text) == 'string' and string.match(text, '^[1-9]%d?%d?%d?%d?%d?%d?$') or '')
end

-- A key of another type is as invalid as any other text; but a holder can release all the same, hence pcall.
local stored, whose = redis.pcall('GET', KEYS[4]), KEYS[4]
local number = permits_in(stored)

-- The error of a script that would overwrite a foreign value with a number; nil if the value is valid. The key comes
-- last: a name may contain a character that ends a reply.
local function strange()
  return stored and not number and redis.error_reply('WRONGTYPE no number of permits is in ' .. whose) or nil
end

-- '' if the token holds, '+' if there is a reservation for it, else nil
local function mark_of(mode, token)
  if redis.call('ZSCORE', KEYS[1], '1:' .. token) then return '' end
  if redis.call('ZSCORE', KEYS[1], '+1:' .. token) then return '+' end
end

-- Whether nothing is left for any mode.
local function is_full()
  return not number or redis.call('ZCARD', KEYS[1]) >= number
end

local function fits(mode)
  return number and redis.call('ZCARD', KEYS[1]) + mode <= number
end

local function hold(mode, token, mark, ttl)
  for i = 1, tonumber(mode) do
    redis.call('ZADD', KEYS[1], string.format('%.0f', now + ttl), mark .. i .. ':' .. token)
  end
  if redis.call('PTTL', KEYS[1]) < ttl then
    redis.call('PEXPIRE', KEYS[1], string.format('%.0f', ttl))
  end
end

local function drop(mode, token, mark)
  local i = 1
  while redis.call('ZREM', KEYS[1], mark .. i .. ':' .. token) == 1 do i = i + 1 end
end

local function prolong(mode, token, ttl)
  local i = 1
  local ends = redis.call('ZSCORE', KEYS[1], '1:' .. token)
  while ends do
    if tonumber(ends) < now + ttl then
      redis.call('ZADD', KEYS[1], string.format('%.0f', now + ttl), i .. ':' .. token)
    end
    i = i + 1
    ends = redis.call('ZSCORE', KEYS[1], i .. ':' .. token)
  end
  if redis.call('PTTL', KEYS[1]) < ttl then
    redis.call('PEXPIRE', KEYS[1], string.format('%.0f', ttl))
  end
end

-- Whether a mode need not queue.
local function goes_first(mode)
  return false
end

-- For how many ms nothing changes by itself; 1000 if that is unknown.
local function no_end_before()
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

-- Ends an acquisition. The number of permits outlasts the longest lease by a day.
local function granted(mode, fresh)
  local for_ms = math.max(redis.call('PTTL', KEYS[4]), ARGV[2] + 86400000)
  redis.call('SET', KEYS[4], ARGV[5], 'PX', string.format('%.0f', for_ms))
  return 1
end
