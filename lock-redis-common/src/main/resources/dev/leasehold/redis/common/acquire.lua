-- Takes a lock if it is free, kept for the token or the token's already, and draws its fence. Begins with
-- take-set.lua or take-setnx.lua, which tell in 'taken' whether it was free.
--
-- KEYS[1] lock   KEYS[2] fence   KEYS[3] waiters
-- ARGV[1] token  ARGV[2] time to live, ms
-- ARGV[3] '0': does not wait   '1': becomes a waiter if refused   '2': is perhaps a waiter, stays none
--         '3': is perhaps a waiter, and becomes one if refused
-- ARGV[4] waiter  ARGV[5] time to live of the line of waiters, ms   (not with '0')
-- ARGV[6] for how long it has been waiting, microseconds: its place in the line   (not with '0')
-- ARGV[7] the fence that is proposed to a node of a quorum; may be missing
--
-- Reply: the fence V > 0 if granted; -1 - p if another token holds the lock for p more ms (1000 if it
-- has no time to live). A token that has the lock keeps its fence, and the longer of the two times to
-- live: a request that a client repeated may come after a renewal.
--
-- V = max(V + 1, server time in microseconds, ARGV[7]): larger than before also when the counter is gone. It
-- is below 2^53, where a Lua number is exact; '%.0f' writes all its digits, tostring would not. A proposal
-- more than a second ahead of the server is cut: a fast clock must not lead all fences away for ever.
if not taken then
  local held = redis.call('GET', KEYS[1])
  if held == '+' .. ARGV[1] then
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) -- pass.lua kept it
    taken = true
  elseif held ~= ARGV[1] then
    if ARGV[3] == '1' or ARGV[3] == '3' then
      local t = redis.call('TIME')
      local at = t[1] * 1000000 + t[2] - ARGV[6]
      -- The same on all nodes of a quorum, or each would wake another waiter first.
      if ARGV[7] and ARGV[7] ~= '0' then at = tonumber(ARGV[7]) end
      if ARGV[3] == '1' or ARGV[7] then
        redis.call('ZADD', KEYS[3], 'NX', string.format('%.0f', at), ARGV[4])
      else
        -- Anew each time: a question that was late made for a place that was too far back.
        redis.call('ZADD', KEYS[3], string.format('%.0f', at), ARGV[4])
      end
      redis.call('PEXPIRE', KEYS[3], ARGV[5])
    end
    local left = redis.call('PTTL', KEYS[1])
    if left == -1 then left = 1000 elseif left < 0 then left = 0 end
    return -1 - left
  elseif redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
  end
end
local last = redis.pcall('GET', KEYS[2])
local v
if last then
  -- Digits alone: to Lua 'nan', 'inf' and '0x1f' are numbers too.
  v = type(last) == 'string' and string.match(last, '^%d+$') and tonumber(last)
  if not v or v >= 9007199254740990 then
    if taken then redis.call('DEL', KEYS[1]) end
    if type(last) == 'table' then return last end
    return redis.error_reply('ERR ' .. KEYS[2] .. ' is no fence: ' .. last)
  end
end
local new = v
local proposed = tonumber(ARGV[7] or 0)
if taken or not v or proposed > v then
  local t = redis.call('TIME')
  local now = t[1] * 1000000 + t[2]
  if not v then new = now elseif taken then new = math.max(v + 1, now) end
  new = math.max(new, math.min(proposed, now + 1000000))
end
if new >= 9007199254740990 then
  if taken then redis.call('DEL', KEYS[1]) end
  return redis.error_reply("ERR the server's clock is beyond 2255, later than a fence can tell")
end
if new ~= v then
  v = new
  redis.call('SET', KEYS[2], string.format('%.0f', v), 'PX', 86400000)
end
if ARGV[3] == '2' or ARGV[3] == '3' then
  redis.pcall('ZREM', KEYS[3], ARGV[4])
end
return v
