-- What an acquisition begins with whose token may have been released before it came: by another connection, or after
-- the one that it went by had broken.
--
-- KEYS[#KEYS] left by several-gone.lua, or gone-mark.lua, if it was
--
-- Reply: an error if it was.
if redis.call('EXISTS', KEYS[#KEYS]) == 1 then
  return redis.error_reply('ERR the token was released before its acquisition came')
end
