-- The beginning of an acquisition whose token may have been released before it arrived: over another connection, or
-- after its own connection had broken.
--
-- KEYS[#KEYS] set by gone-mark.lua if it was
--
-- Reply: an error if it was.
if redis.call('EXISTS', KEYS[#KEYS]) == 1 then
  return redis.error_reply('ERR the token was released before its acquisition came')
end
