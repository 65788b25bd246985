-- The beginning of acquire.lua: takes a free lock by SETNX and PEXPIRE, with nothing in between.
--
-- KEYS[4] left by gone.lua if the token was released before this came
if redis.call('EXISTS', KEYS[4]) == 1 then
  return redis.error_reply('ERR the token was released before its acquisition came')
end
local taken = redis.call('SETNX', KEYS[1], ARGV[1]) == 1
if taken then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
