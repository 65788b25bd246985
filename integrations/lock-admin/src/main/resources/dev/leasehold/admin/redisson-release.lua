-- Ends a hold of an RLock or RFairLock if its hash has exactly the field that was seen, and notifies the waiters as
-- Redisson's unlock does: those of RLock on the lock's channel, the first one of RFairLock on its own.
--
-- KEYS[1] lock: a hash, holder -> hold count   KEYS[2] channel   KEYS[3] queue   KEYS[4] ends of places
-- ARGV[1] field  ARGV[2]... PUBLISH, SPUBLISH or both
--
-- Reply: 0 another hash, nothing was changed; 1 freed; 2 freed, and a client received a message.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 or redis.call('HLEN', KEYS[1]) ~= 1 then return 0 end
redis.call('DEL', KEYS[1])
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local heard = 0
local function notify(channel)
  for i = 2, #ARGV do
    -- The lock is free even if notifying fails, hence pcall.
    local n = redis.pcall(ARGV[i], channel, '0')
    if type(n) == 'number' then heard = heard + n end
  end
end
-- Places whose end has passed are removed by the next request; the first of the others is notified.
for _, id in ipairs(redis.call('LRANGE', KEYS[3], 0, 499)) do
  local over = redis.call('ZSCORE', KEYS[4], id)
  if over and tonumber(over) > now then
    notify(KEYS[2] .. ':' .. id)
    break
  end
end
notify(KEYS[2])
return heard > 0 and 2 or 1
