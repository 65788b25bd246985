-- The beginning of a fair acquisition, after line.lua: acquires a free lock if the queue is empty or the token is first
-- in it, or a lock that is already the token's. Followed by lock-redis-common's fence.lua.
--
-- KEYS[1] lock: a hash, holder -> hold count   KEYS[2] fence   KEYS[3] queue   KEYS[4] ends of places
-- KEYS[5] channel
-- ARGV[1] token  ARGV[2] time to live, ms  ARGV[3] '1': queues if refused, else '0'
-- ARGV[4] for how long our places are valid, ms  ARGV[5] likewise those of plain waiters
-- ARGV[6] PUBLISH or SPUBLISH
--
-- Reply: -1 - p if another holder has the lock, or the first waiter may acquire it, for p more ms; if granted, as in
-- fence.lua.
local proposed = 0
local asked = 0 -- no hand-overs: all wait in one queue
local head = first()
local free = redis.call('EXISTS', KEYS[1]) == 0
local taken = free and (not head or head == ARGV[1])
if taken then
  -- First what a server refuses when it is out of memory.
  redis.call('HSET', KEYS[1], ARGV[1], 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  if head then
    redis.call('LPOP', KEYS[3])
    redis.call('ZREM', KEYS[4], ARGV[1])
  end
  -- Plain waiters do not ask again: their places are valid as if they had arrived now, one behind the other. Places
  -- further back come to the front through grants like this one.
  local good = now + ARGV[2]
  for _, id in ipairs(redis.call('LRANGE', KEYS[3], 0, most - 1)) do
    if plain(id) then
      good = good + ARGV[5]
      if tonumber(redis.call('ZSCORE', KEYS[4], id) or 0) < good then
        redis.call('ZADD', KEYS[4], string.format('%.0f', good), id)
      end
    end
  end
elseif not free and redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
  -- Written even if it is as long already, so that WAIT has a write to wait for.
  redis.call('PEXPIRE', KEYS[1], math.max(redis.call('PTTL', KEYS[1]), ARGV[2]))
else
  if ARGV[3] == '1' then
    -- When a plain waiter acquires the lock or gives up, it subtracts its time from all places behind it, however much
    -- of that it has waited: our place, whose waiter asks again soon, is valid for that much longer.
    local good = now
    local ends = now
    for _, id in ipairs(redis.call('LRANGE', KEYS[3], 0, most - 1)) do
      if id == ARGV[1] then break end
      if plain(id) then
        good = good + ARGV[5]
        ends = math.max(ends, tonumber(redis.call('ZSCORE', KEYS[4], id) or 0))
      end
    end
    good = math.max(good, ends)
    if redis.call('ZADD', KEYS[4], string.format('%.0f', good + ARGV[4]), ARGV[1]) == 1 then
      redis.call('RPUSH', KEYS[3], ARGV[1])
    end
  end
  local left
  if not free then
    left = redis.call('PTTL', KEYS[1])
  elseif head == '' then
    left = 0
  else
    -- A waiter that came to the front this way was not notified when the lock was freed.
    if passed then notify_head(head, ARGV[6], KEYS[5]) end
    left = redis.call('ZSCORE', KEYS[4], head) - now
  end
  if left == -1 then left = 1000 elseif left < 0 then left = 0 end
  return -1 - left
end
