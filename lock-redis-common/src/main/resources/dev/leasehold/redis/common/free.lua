-- Frees a lock, and is done if there is no queue. In release.lua and leave.lua, before pass-on.lua and pass.lua.
--
-- KEYS[1] lock   KEYS[2] waiters
--
-- Reply: 1 freed; else that of pass.lua.
redis.call('DEL', KEYS[1])
if redis.call('EXISTS', KEYS[2]) == 0 then return 1 end
