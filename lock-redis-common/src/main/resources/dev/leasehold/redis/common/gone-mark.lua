-- Marks a token before its release, so that a delayed acquisition of it, in flight on another connection or one that
-- broke, is refused when it arrives: by fence.lua, together.lua or several-not-gone.lua. After numbers.lua.
--
-- KEYS[1] mark of this token alone   KEYS[2] exists while any token of this name is marked   KEYS[3] fence of the
-- name's plain lock
--
-- Reply: 1.
--
-- The marks live for an hour: by then every network has delivered or dropped a packet. The mark on the fence saves all
-- other acquisitions the lookup; without a fence, they look.
-- DEL first: once a script has written, Redis no longer refuses its commands for lack of memory.
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], '', 'PX', 3600000)
redis.call('SET', KEYS[2], '', 'PX', 3600000)
local fence = redis.pcall('GET', KEYS[3])
local last = last_number(fence)
if last and not is_marked(fence) then
  local first = tonumber(string.match(fence, '^%d+'))
  redis.call('SET', KEYS[3], fence_text(first, last - first, true), 'PX', fence_ttl)
end
return 1
