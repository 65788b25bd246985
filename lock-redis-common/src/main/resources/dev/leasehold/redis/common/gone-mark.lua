-- Leaves word that a token takes nothing any more, before its release: an acquisition of it may still be on its way,
-- on a connection that broke. When it comes, fence.lua, together.lua or several-not-gone.lua refuses it. After
-- numbers.lua.
--
-- KEYS[1] of this token alone   KEYS[2] there while there is such a token of this name   KEYS[3] fence of the name's
-- plain lock
--
-- Reply: 1.
--
-- They stay for an hour: by then every network has delivered or dropped a packet. The mark on the fence spares all
-- other acquisitions to look for them. Where there is no fence, they look.
-- DEL first: a script that has written is not refused for want of memory.
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], '', 'PX', 3600000)
redis.call('SET', KEYS[2], '', 'PX', 3600000)
local fence = redis.pcall('GET', KEYS[3])
local last = last_number(fence)
if last and not is_marked(fence) then
  local first = tonumber(string.match(fence, '^%d+'))
  redis.call('SET', KEYS[3], fence_text(first, last - first, true), 'PX', 86400000)
end
return 1
