-- The end of an acquisition, when the token has the lock: draws its fence. After numbers.lua.
--
-- KEYS[1] lock   KEYS[2] fence
-- taken: whether the lock was free before   proposed: the fence that is proposed to a node of a quorum, or 0
-- asked: how many numbers after the fence the holder would have
--
-- Reply: the fence V; if numbers were asked for, V and how many there are, r. Later fences are larger than
-- V + r. A token that has the lock already gets the last number that was given, and none after it.
--
-- V = max(V + r + 1, server time in microseconds, proposed): larger than before also when the counter is gone.
-- A proposal, or a number, that is more than a second ahead of the server is cut: a fast clock, or a busy
-- client, must not lead all fences away for ever.
local fence = redis.pcall('GET', KEYS[2])
local last = last_number(fence)
if fence and (not last or last >= most) then
  if taken then redis.call('DEL', KEYS[1]) end
  if type(fence) == 'table' then return fence end
  return redis.error_reply('ERR ' .. KEYS[2] .. ' is no fence: ' .. fence)
end
local v = last
local r = 0
if taken or not last or proposed > last then
  local t = redis.call('TIME')
  local now = t[1] * 1000000 + t[2]
  if not last then v = now elseif taken then v = math.max(last + 1, now) end
  v = math.max(v, math.min(proposed, now + 1000000))
  if taken and asked > 0 then r = math.max(0, math.min(asked, now + 1000000 - v, most - 1 - v)) end
end
if v >= most then
  if taken then redis.call('DEL', KEYS[1]) end
  return redis.error_reply("ERR the server's clock is beyond 2255, later than a fence can tell")
end
local text = fence_text(v, r)
if text ~= fence then
  redis.call('SET', KEYS[2], text, 'PX', 86400000)
end
if asked > 0 then return { v, r } end
return v
