-- The beginning of together.lua: acquires a free lock, by SET PX.
local function take(lock, token, ttl)
  redis.call('SET', lock, token, 'PX', ttl)
end
