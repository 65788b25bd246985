-- The end of an acquisition, after take.lua or fair-take.lua: draws the fence.
--
-- KEYS[1] lock   KEYS[2] fence
--
-- Reply: the fence V > 0 if granted; -1 - p if another holder has the lock, or the first in line may
-- take it, for p more ms. A token that has the lock keeps its fence, and the longer of the two times to
-- live: a request that a client repeated may come after a renewal.
--
-- V = max(V + 1, server time in microseconds, proposed): larger than before also when the counter is gone, as
-- Redisson's own counter of its fenced lock is after FLUSHALL. It is below 2^53, where a Lua number is
-- exact; '%.0f' writes all its digits, tostring would not. What is proposed more than a second ahead of the
-- server is cut: a fast clock must not lead all fences away for ever.
local last = redis.pcall('GET', KEYS[2])
-- Digits alone: to Lua 'nan', 'inf' and '0x1f' are numbers too.
local v = type(last) == 'string' and string.match(last, '^%d+$') and tonumber(last)
if last and (not v or v >= 9007199254740990) then
  if taken then redis.call('DEL', KEYS[1]) end
  if type(last) == 'table' then return last end
  return redis.error_reply('ERR ' .. KEYS[2] .. ' is no fence: ' .. last)
end
local new = v
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
  redis.call('SET', KEYS[2], string.format('%.0f', new), 'PX', 86400000)
end
return new
