-- The beginning of the scripts that work on the line of a fair lock, which Redisson's RFairLock keeps
-- in the list KEYS[3] and, for how long each place is good, in the sorted set KEYS[4], ms since 1970.
--
-- A place ends when it is the first and its time is over. Redisson's waiters count theirs from the one
-- before them, five minutes each, by their own clocks; ours ask every second or so, and go by the
-- server's clock.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

-- The first in line whose place is good, or false.
local function first()
  local head = redis.call('LINDEX', KEYS[3], 0)
  while head do
    local over = redis.call('ZSCORE', KEYS[4], head)
    if over and tonumber(over) > now then return head end
    redis.call('LPOP', KEYS[3])
    redis.call('ZREM', KEYS[4], head)
    head = redis.call('LINDEX', KEYS[3], 0)
  end
  return false
end

-- Whether a plain RFairLock waits under this id, a UUID and a thread's number. Our tokens end with 22
-- characters; a thread's number has less than 20 digits.
local function plain(id)
  local thread = string.match(id, ':(%d+)$')
  return thread and #thread < 20
end

-- Tells the first in line that the lock is free; true if it was heard. One of ours asks at once, so if
-- it has not in a second its place is over: it died, or stands still.
local function wake(command, channel)
  local head = first()
  if not head then return false end
  if not plain(head) and tonumber(redis.call('ZSCORE', KEYS[4], head)) > now + 1000 then
    redis.call('ZADD', KEYS[4], string.format('%.0f', now + 1000), head)
  end
  local n = redis.pcall(command, channel .. ':' .. head, '0')
  return type(n) == 'number' and n > 0
end
