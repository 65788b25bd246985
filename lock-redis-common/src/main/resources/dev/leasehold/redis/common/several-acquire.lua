-- Acquires a share of a lock with several holders, if one is free for the token. After line.lua.
--
-- ARGV[1] token  ARGV[2] time to live, ms
-- ARGV[3] '0': does not queue   '1': queues if refused   '2': may already be queued, does not queue
--         '3': may already be queued, and queues if refused
-- ARGV[4] mode  ARGV[5] defined by the file before line.lua
-- ARGV[6] waiter: "store:token", usually of this token; this request takes that waiter's turn
-- ARGV[7] for how long its place is valid without another request, ms
-- ARGV[8] how long it has been waiting, microseconds: gives its place in the queue
-- ARGV[9] PUBLISH or SPUBLISH  ARGV[10] channel prefix  ARGV[11] message
-- ARGV[12] '1' if the count of receivers is complete  ARGV[13] for how long a share is reserved, ms
-- ARGV[14] defined by the file before line.lua
-- ARGV[15] the fence proposed to a node of a quorum, or 0; may be missing
--
-- Reply: if refused, -1 - p, where nothing changes by itself for p more ms, or as defined by the file before line.lua;
-- if granted, as defined there. A token that already holds keeps the longer of the two times to live.
local token, mode, ttl = ARGV[1], ARGV[4], tonumber(ARGV[2])
local me = mode .. ' ' .. ARGV[6]
local waiter = string.match(ARGV[6], '^[^:]*:?(.*)')
local function take()
  hold(mode, token, '', ttl)
end
if mark_of(mode, token) == '' then
  prolong(mode, token, ttl)
  return granted(mode, false)
end
local mine, shut = false, false
if mark_of(mode, waiter) == '+' and may_take() then
  drop(mode, waiter, '+')
  take()
  mine = true
elseif goes_first(mode) then
  take()
  mine = true
else
  local woke
  local may = may_take()
  woke, mine, shut = serve(ways_from(9), may and me, may and take)
  if may and not mine and not shut and fits(mode) then
    take()
    mine = true
  end
end
if mine then
  if ARGV[3] == '2' or ARGV[3] == '3' then
    redis.pcall('ZREM', KEYS[2], me)
    redis.pcall('ZREM', ends, me)
    if redis.call('GET', KEYS[3]) == me then redis.call('DEL', KEYS[3]) end
  end
  return granted(mode, true)
end
if ARGV[3] == '1' or ARGV[3] == '3' then
  if ARGV[15] then
    -- The same on all nodes of a quorum, as in acquire.lua.
    local from = tonumber(ARGV[15])
    if from == 0 then from = clock[1] * 1000000 + clock[2] end
    redis.call('ZADD', KEYS[2], 'LT', string.format('%.0f', from - ARGV[8]), me)
  else
    redis.call('ZADD', KEYS[2], string.format('%.0f', clock[1] * 1000000 + clock[2] - ARGV[8]), me)
  end
  redis.call('PEXPIRE', KEYS[2], 150000)
  ends_in(ARGV[7], me)
  local door = redis.call('GET', KEYS[3])
  local theirs = door and redis.call('ZRANK', KEYS[2], door)
  if not theirs or redis.call('ZRANK', KEYS[2], me) <= theirs then
    redis.call('SET', KEYS[3], me, 'PX', 2500)
  end
end
return refused(mode, waiter, shut)
