-- The beginning of a fair acquisition, after line.lua: takes a free lock if nobody or the token itself
-- is first in line, or one that the token has already. Goes on with fence.lua of lock-redis-common.
--
-- KEYS[1] lock: a hash, holder -> hold count   KEYS[2] fence   KEYS[3] line   KEYS[4] places' ends
-- KEYS[5] channel
-- ARGV[1] token  ARGV[2] time to live, ms  ARGV[3] '1': stands in line if refused, else '0'
-- ARGV[4] for how long our places are good, ms  ARGV[5] likewise those of plain waiters
-- ARGV[6] PUBLISH or SPUBLISH
--
-- Reply: -1 - p if another holder has the lock, or the first in line may take it, for p more ms; if granted,
-- as fence.lua tells.
local proposed = 0
local asked = 0 -- no hand-overs: all stand in one line
local head = first()
local free = redis.call('EXISTS', KEYS[1]) == 0
local taken = free and (not head or head == ARGV[1])
if taken then
  -- First what a server out of memory refuses.
  redis.call('HSET', KEYS[1], ARGV[1], 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  if head then
    redis.call('LPOP', KEYS[3])
    redis.call('ZREM', KEYS[4], ARGV[1])
  end
  -- Plain waiters do not ask again: theirs are good as if they had come now, each behind the other. Those
  -- who stand further back come to the front by grants like this one.
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
  -- Also if it is as long, or longer, so that WAIT has something to wait for.
  redis.call('PEXPIRE', KEYS[1], math.max(redis.call('PTTL', KEYS[1]), ARGV[2]))
else
  if ARGV[3] == '1' then
    -- When a plain waiter takes the lock or gives up, it takes its time off all places behind it,
    -- however much of that it has waited: ours, which asks again soon, is good for as much longer.
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
    -- Whoever has come to the front in this way was not told when the lock was freed.
    if passed then tell_head(head, ARGV[6], KEYS[5]) end
    left = redis.call('ZSCORE', KEYS[4], head) - now
  end
  if left == -1 then left = 1000 elseif left < 0 then left = 0 end
  return -1 - left
end
