-- The queue for a lock with several holders; after the file that defines the lock.
--
-- KEYS[2] waiters   KEYS[3] door   'ends', defined by that file: when places end
--
-- A waiter is 'mode store:token', by the time of its arrival; its channel is ways.prefix and the store. A script that
-- finds a share free serves the queue: each waiter that fits is removed and notified, and its share is reserved for a
-- moment (ways.kept), so that no faster client gets in before it, and every waiter that can go on is woken. A waiter
-- that no longer listens is passed over.
--
-- The first waiter that wants more than is free holds the door: no waiter behind it gets in, and freed shares
-- accumulate for it. Each of its requests takes the door for 2.5 s: one that is dead, or sleeps for longer, keeps no
-- other out.
--
-- A place has an end, server time in ms, which each request of its waiter extends: so dead waiters are removed, even
-- those that would never fit. The ends are a sorted set of their own, so that the format of a place stays that of older
-- versions, which have no ends. A place of an older client gets its end here; if that is too soon, the client's next
-- request restores the place.
--
-- Only the first hundred waiters are looked at: the server is blocked meanwhile.
local function ends_in(ms, w)
  redis.call('ZADD', ends, string.format('%.0f', now + ms), w)
  redis.call('PEXPIRE', ends, 150000)
end

-- At most a thousand, in batches of a hundred.
local function sweep_line()
  for _ = 1, 10 do
    local first, over = redis.call('ZRANGE', ends, 0, 99, 'WITHSCORES'), {}
    for i = 1, #first, 2 do
      if tonumber(first[i + 1]) > now then break end
      over[#over + 1] = first[i]
    end
    if not over[1] then break end
    redis.call('ZREM', ends, unpack(over))
    redis.call('ZREM', KEYS[2], unpack(over))
    if #over < 100 then break end
  end
end

local function serve(ways, me, take)
  local woke, mine, shut, swept, i = 0, false, false, false, 0
  local door = redis.call('GET', KEYS[3])
  for _ = 1, 100 do
    local w = not is_full() and redis.call('ZRANGE', KEYS[2], i, i)[1]
    if not w then break end
    local mode, store, token = string.match(w, '^(%w+) ([^:]*):?(.*)')
    if fits(mode) then
      redis.call('ZREM', KEYS[2], w)
      if w == door then redis.call('DEL', KEYS[3]) end
      if w == me then
        take()
        mine = true
      else
        local n = redis.pcall(ways.command, ways.prefix .. store, ways.message)
        if type(n) == 'number' and (n > 0 or ways.counts == '0') then
          -- If it can't be reserved (out of memory), the woken waiter has to be fast.
          pcall(hold, mode, token, '+', ways.kept)
          woke = woke + 1
        end
      end
    elseif not swept then
      sweep_line()
      swept = true
    elseif w == door then
      shut = true
      break
    else
      if not redis.call('ZSCORE', ends, w) then ends_in(150000, w) end
      i = i + 1
    end
  end
  return woke, mine, shut
end

local function ways_from(i)
  return {
    command = ARGV[i], prefix = ARGV[i + 1], message = ARGV[i + 2], counts = ARGV[i + 3],
    kept = tonumber(ARGV[i + 4])
  }
end
