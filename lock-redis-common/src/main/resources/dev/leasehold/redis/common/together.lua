-- Acquires several locks if all are free, and draws one fence for all. Preceded by marks.lua, numbers.lua, and together-set.lua or
-- together-setnx.lua.
--
-- KEYS[1] to KEYS[m] locks   KEYS[m + 1] to KEYS[2m] their fences
-- ARGV[1] time to live, ms   ARGV[2] n: the first n are to be acquired. Each of the rest must already be its token's
-- ARGV[3] to ARGV[2 + m] tokens
--
-- Reply: if all are acquired the fence, which has no numbers after it; else for each lock 0, or -1 - p if it is held by
-- or reserved for another token for p more ms (1000 if it has no time to live; 0 if it is a free one of the rest).
-- If the lease of any can be recalled, as in acquire.lua, the tokens of all follow, '' for each that can't.
--
-- A token that was released before this request arrived is refused, as in fence.lua.
--
-- All reads come before the writes: an error before them leaves nothing behind.
local m = #KEYS / 2
local wanted = tonumber(ARGV[2])
local mine = {}
local replies = {}
local recallable = {}
local refused = false
local last
for i = 1, m do
  local v = unmarked(redis.call('GET', KEYS[i]))
  mine[i] = v == ARGV[2 + i]
  replies[i] = 0
  if not mine[i] and (v or i > wanted) then
    local left = redis.call('PTTL', KEYS[i])
    if left == -1 then left = 1000 elseif left < 0 then left = 0 end
    replies[i] = -1 - left
    if v and string.find(v, '^[^+-].*~') then recallable[i] = v end
    refused = true
  end
end
if next(recallable) then
  for i = 1, m do replies[m + i] = recallable[i] or '' end
end
if refused then return replies end

local fences, marked = {}, {}
local anew = m > wanted
for i = 1, m do
  local fence = redis.call('GET', KEYS[m + i])
  local number = last_number(fence)
  if fence and (not number or number >= most) then
    return redis.error_reply('ERR ' .. KEYS[m + i] .. ' is no fence: ' .. fence)
  end
  marked[i] = not fence or is_marked(fence)
  if marked[i] then
    local gone = string.sub(KEYS[m + i], 1, -6) .. 'gone'
    if not mine[i] and redis.call('EXISTS', gone .. ':' .. ARGV[2 + i]) == 1 then
      return redis.error_reply('ERR the token was released before its acquisition came')
    end
    marked[i] = redis.call('EXISTS', gone) == 1
  end
  fences[i] = fence
  anew = anew or not mine[i] or not fence
  last = math.max(last or 0, number or 0)
end
local v = last
if anew then
  local t = redis.call('TIME')
  v = next_numbers(last, t[1] * 1000000 + t[2], 0, 0)
end
if v >= most then
  return redis.error_reply("ERR the server's clock, or a fence of these names, is beyond 2255, the latest year of a fence")
end

for i = 1, m do
  if i <= wanted then
    if not mine[i] then
      -- Marked: whether others wait for it is not looked up.
      take(KEYS[i], ARGV[2 + i] .. (may_mark(ARGV[2 + i]) and '!' or ''), ARGV[1])
    else
      -- Written even if it is as long already, so that WAIT has a write to wait for.
      redis.call('PEXPIRE', KEYS[i], math.max(redis.call('PTTL', KEYS[i]), ARGV[1]))
    end
  end
  local text = fence_text(v, 0, marked[i])
  if text ~= fences[i] then
    redis.call('SET', KEYS[m + i], text, 'PX', fence_ttl)
  end
end
return v
