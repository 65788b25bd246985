-- The beginning of together.lua: acquires a free lock, by SETNX and PEXPIRE, atomically.
local function take(lock, token, ttl)
  redis.call('SETNX', lock, token)
  redis.call('PEXPIRE', lock, ttl)
end
