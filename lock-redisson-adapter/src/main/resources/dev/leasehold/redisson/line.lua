-- The beginning of the scripts that work on the queue of a fair lock, which Redisson's RFairLock keeps in the list
-- KEYS[3], and the ends of its places in the sorted set KEYS[4], ms since 1970.
--
-- A place is removed once it is the first and its end has passed. Redisson's waiters count their ends from the waiter
-- before them, five minutes each, by their own clocks; ours ask every second or so, and use the server's clock.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

-- How many places one call looks at: the server is blocked meanwhile.
local most = 500
local passed = false

-- The first waiter whose place is valid; false if there is none; '' if it stands behind more expired places than one
-- call removes: the next call continues there.
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

-- Whether a plain RFairLock waits under this id, a UUID and a thread's number. Our tokens end with 22 characters; a
-- thread's number has fewer than 20 digits.
local function plain(id)
  local thread = string.match(id, ':(%d+)$')
  return thread and #thread < 20
end

-- Notifies a waiter that the lock is free; true if the message was received.
local function notify(id, command, channel)
  local n = redis.pcall(command, channel .. ':' .. id, '0')
  return type(n) == 'number' and n > 0
end

-- Notifies the first waiter. One of ours asks at once, so if it has not asked within a second its place expires: its
-- client died, or is stalled.
local function notify_head(head, command, channel)
  if not plain(head) and tonumber(redis.call('ZSCORE', KEYS[4], head)) > now + 1000 then
    redis.call('ZADD', KEYS[4], string.format('%.0f', now + 1000), head)
  end
  return notify(head, command, channel)
end

-- Notifies the first waiter that the lock is free; true if the message was received. If the first one is not found yet,
-- some waiters with valid places are notified: one of them is the first, or their requests find it.
local function wake(command, channel)
  local head = first()
  if not head then return false end
  if head ~= '' then return notify_head(head, command, channel) end
  local heard = false
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[4], '(' .. now, '+inf', 'LIMIT', 0, 100)) do
    heard = notify(id, command, channel) or heard
  end
  return heard
end
