-- As several-not-gone.lua, on a node of a quorum, whose marker is the last key. After guard.lua.
--
-- KEYS[#KEYS - 1] set by gone-mark.lua if the token was released
--
-- Reply: an error if it was.
if redis.call('EXISTS', KEYS[#KEYS - 1]) == 1 then
  return redis.error_reply('ERR the token was released before its acquisition came')
end
