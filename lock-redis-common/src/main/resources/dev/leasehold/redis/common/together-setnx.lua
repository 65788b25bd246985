-- The beginning of together.lua: how a free lock is taken, by SETNX and PEXPIRE with nothing in between.
--
-- KEYS[#KEYS - n + 1] to KEYS[#KEYS] left by gone.lua if the token was released before this came, one for each of
-- the n locks that are to be taken (ARGV[2])
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
