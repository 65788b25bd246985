-- The beginning of together.lua: how a free lock is taken, by SET PX.
local others = 0
local function take(lock, token, ttl)
  redis.call('SET', lock, token, 'PX', ttl)
end
