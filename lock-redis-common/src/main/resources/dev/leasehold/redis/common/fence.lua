-- The end of an acquisition, when the token has the lock: draws its fence. After numbers.lua.
--
-- KEYS[1] lock   KEYS[2] fence
-- taken: whether the lock was free before   proposed: the fence that is proposed to a node of a quorum, or 0
-- asked: how many numbers after the fence the holder would have
--
-- Reply: the fence V; if numbers were asked for, V and how many there are, r. Later fences are larger than
-- V + r. A token that has the lock already gets the last number that was given, and none after it.
--
-- A proposal makes the fence of such a token larger, too.
--
-- A token that was released before its acquisition came is refused: gone-mark.lua has left word. That is looked for
-- only where the fence is marked, or missing, by keys beside the fence's that are not among KEYS; the mark stays for
-- as long as there is such a token.
local fence = redis.pcall('GET', KEYS[2])
local last = last_number(fence)
if fence and (not last or last >= most) then
  if taken then redis.call('DEL', KEYS[1]) end
  if type(fence) == 'table' then return fence end
  return redis.error_reply('ERR ' .. KEYS[2] .. ' is no fence: ' .. fence)
end
local marked = not fence or is_marked(fence)
if marked then
  local gone = string.sub(KEYS[2], 1, -6) .. 'gone'
  if taken and redis.call('EXISTS', gone .. ':' .. ARGV[1]) == 1 then
    redis.call('DEL', KEYS[1])
    return redis.error_reply('ERR the token was released before its acquisition came')
  end
  marked = redis.call('EXISTS', gone) == 1
end
local v = last
local r = 0
if taken or not last or proposed > last then
  local t = redis.call('TIME')
  local now = t[1] * 1000000 + t[2]
  proposed = not_ahead(proposed, now)
  if taken or not last then
    v, r = next_numbers(last, now, proposed, taken and asked or 0)
  else
    v = math.max(last, proposed)
  end
end
if v >= most then
  if taken then redis.call('DEL', KEYS[1]) end
  return redis.error_reply("ERR the server's clock, or " .. KEYS[2] .. ', is beyond 2255: later than a fence can tell')
end
local text = fence_text(v, r, marked)
if text ~= fence then
  redis.call('SET', KEYS[2], text, 'PX', 86400000)
end
if asked > 0 then return { v, r } end
return v
