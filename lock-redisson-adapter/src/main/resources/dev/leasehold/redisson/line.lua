-- The beginning of the scripts that work on the line of a fair lock, which Redisson's RFairLock keeps
-- in the list KEYS[3] and, for how long each place is good, in the sorted set KEYS[4], ms since 1970.
--
-- A place ends when it is the first and its time is over. Redisson's waiters count theirs from the one
-- before them, five minutes each, by their own clocks; ours ask every second or so, and go by the
-- server's clock.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

-- How many places one call looks at: the server does nothing else meanwhile.
local most = 500
local passed = false

-- The first in line whose place is good; false if nobody's is; '' if it stands somewhere behind more
-- places that are over than one call takes away: whoever asks next goes on there.
local function first()
  for i = 1, most do
    local head = redis.call('LINDEX', KEYS[3], 0)
    if not head then return false end
    local over = redis.call('ZSCORE', KEYS[4], head)
    if over and tonumber(over) > now then return head end
    redis.call('LPOP', KEYS[3])
    redis.call('ZREM', KEYS[4], head)
    passed = true
  end
  if redis.call('ZCOUNT', KEYS[4], '(' .. now, '+inf') > 0 then return '' end
  redis.call('UNLINK', KEYS[3], KEYS[4])
  return false
end

-- Whether a plain RFairLock waits under this id, a UUID and a thread's number. Our tokens end with 22
-- characters; a thread's number has less than 20 digits.
local function plain(id)
  local thread = string.match(id, ':(%d+)$')
  return thread and #thread < 20
end

-- Tells one in line that the lock is free; true if it was heard.
local function tell(id, command, channel)
  local n = redis.pcall(command, channel .. ':' .. id, '0')
  return type(n) == 'number' and n > 0
end

-- Tells the first in line. One of ours asks at once, so if it has not in a second its place is over: it
-- died, or stands still.
local function tell_head(head, command, channel)
  if not plain(head) and tonumber(redis.call('ZSCORE', KEYS[4], head)) > now + 1000 then
    redis.call('ZADD', KEYS[4], string.format('%.0f', now + 1000), head)
  end
  return tell(head, command, channel)
end

-- Tells the first in line that the lock is free; true if it was heard. Where it is not found yet, some
-- whose places are good are told: one of them is the first, or their questions find it.
local function wake(command, channel)
  local head = first()
  if not head then return false end
  if head ~= '' then return tell_head(head, command, channel) end
  local heard = false
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[4], '(' .. now, '+inf', 'LIMIT', 0, 100)) do
    heard = tell(id, command, channel) or heard
  end
  return heard
end
