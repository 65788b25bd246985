-- The beginning of together.lua: acquires a free lock, by SETNX and PEXPIRE, atomically.
--
-- KEYS[#KEYS - n + 1] to KEYS[#KEYS] set by gone-mark.lua if the token was released before this request arrived, one for
-- each of the n locks to acquire (ARGV[2])
local others = tonumber(ARGV[2])
for i = #KEYS - others + 1, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 1 then
    return redis.error_reply('ERR the token was released before its acquisition came')
  end
end
local function take(lock, token, ttl)
  redis.call('SETNX', lock, token)
  redis.call('PEXPIRE', lock, ttl)
end
