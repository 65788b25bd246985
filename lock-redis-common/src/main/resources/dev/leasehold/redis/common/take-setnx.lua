-- The beginning of acquire.lua: acquires a free lock by SETNX and PEXPIRE, atomically.
--
-- KEYS[4] set by gone-mark.lua if the token was released before this request arrived
if redis.call('EXISTS', KEYS[4]) == 1 then
  return redis.error_reply('ERR the token was released before its acquisition came')
end
local taken = redis.call('SETNX', KEYS[1], ARGV[1]) == 1
if taken then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
