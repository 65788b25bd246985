-- What readwrite-fence.lua needs: the time, and the undoing of an acquisition that could draw no fence. After
-- sides.lua.
--
-- KEYS[1] lock   KEYS[4] end of the holder
local clock = redis.call('TIME')
local function drop(_, holder)
  redis.call('DEL', KEYS[4])
  redis.call('HDEL', KEYS[1], holder)
  sweep(true)
end
