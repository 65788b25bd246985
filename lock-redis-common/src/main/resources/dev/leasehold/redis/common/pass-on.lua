-- Before pass.lua and fair.lua: wakes the first waiter that listens, and reserves the lock for it.
--
-- A waiter is "store:token"; its channel is ways.prefix and the store. A reservation is '+' and the token: no lease,
-- but every other client sees another's lock, so that no faster client gets in before the woken waiter. That waiter is
-- removed from the queue, or passed over by fair.lua: if it does not come, it costs the others ways.kept once. The
-- script goes on even if waking or reserving fails, hence pcall: then waiters find out by polling. They do so, too, if
-- the first hundred are all gone: the server is blocked meanwhile.
--
-- The store of fair waiters ends in '.f': each of them listens for itself, so the message ends in a blank and its
-- token. The first listening waiter of another such store is notified as well: should the woken one not come, it asks
-- as soon as the reservation has expired.
local function ways_from(i)
  return { command = ARGV[i], prefix = ARGV[i + 1], message = ARGV[i + 2], counts = ARGV[i + 3], kept = ARGV[i + 4] }
end

local function notify(ways, waiter)
  local store, token = string.match(waiter, '^([^:]*):?(.*)')
  local fair = string.sub(store, -2) == '.f'
  local n = redis.pcall(ways.command, ways.prefix .. store, fair and ways.message .. ' ' .. token or ways.message)
  return type(n) == 'number' and (n > 0 or ways.counts == '0'), token, fair and store
end

local function notify_another(ways, waiters, store)
  local line = redis.pcall('ZRANGE', waiters, 0, 99)
  for _, w in ipairs(line) do
    local other = string.match(w, '^[^:]*')
    if other ~= store and string.sub(other, -2) == '.f' then
      if notify(ways, w) then return end
    end
  end
end

local function first_of(waiters)
  local w = redis.pcall('ZRANGE', waiters, 0, 0, 'WITHSCORES')
  return w[1], tonumber(w[2])
end

-- Places are whole microseconds. A fair waiter stays in the queue while the lock is reserved for it, half a microsecond
-- behind its place: by this fraction fair.lua recognizes that its turn has lapsed.
local function had_turn(at)
  return at % 1 ~= 0
end

-- 'first' returns the first waiter in the queue and its place. Reply: 1 woke none; 2 woke a waiter; 3 woke one and
-- reserved the lock for it.
local function pass_on(lock, waiters, ways, first)
  for _ = 1, 100 do
    local w, at = first()
    if not w then break end
    local listens, token, fair = notify(ways, w)
    local kept = listens and redis.pcall('SET', lock, '+' .. token, 'PX', ways.kept)
    if fair and kept and kept['ok'] then
      if not had_turn(at) then redis.pcall('ZADD', waiters, string.format('%.1f', at + 0.5), w) end
    else
      redis.pcall('ZREM', waiters, w)
    end
    if listens then
      if fair then notify_another(ways, waiters, fair) end
      return kept['ok'] and 3 or 2
    end
  end
  return 1
end
