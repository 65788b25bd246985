-- The end of an acquisition, when the token has the lock: draws its fence. After numbers.lua.
--
-- KEYS[1] lock   KEYS[2] fence   KEYS[3] waiters, for a lease that can be recalled   ARGV[1] token
-- taken: whether the lock was free before   proposed: the fence proposed to a node of a quorum, or 0
-- asked: how many numbers after the fence to set aside for the holder's hand-overs
--
-- Reply: the fence V; if numbers were requested, V and how many there are, r; and, if the lease can be recalled, 1 if
-- others wait or 0. Later fences are larger than V + r. A
-- token that already had the lock gets the last number drawn, and none after it.
--
-- A proposal raises the fence of such a token, too.
--
-- A token that was released before its acquisition arrived is refused: gone-mark.lua has marked it. The mark is a key
-- beside the fence's, not among KEYS, and is looked up only if the fence is marked or missing. The fence stays marked
-- for as long as there is such a token.
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
  return redis.error_reply("ERR the server's clock, or " .. KEYS[2] .. ', is beyond 2255, the latest year of a fence')
end
local text = fence_text(v, r, marked)
if text ~= fence then
  redis.call('SET', KEYS[2], text, 'PX', fence_ttl)
end
if asked == 0 then return v end
if string.find(ARGV[1], '~') then return { v, r, redis.call('EXISTS', KEYS[3]) } end
return { v, r }
