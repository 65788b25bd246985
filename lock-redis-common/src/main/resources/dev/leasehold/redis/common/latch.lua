-- The data of a latch, for the scripts of latches.
--
-- KEYS[1] latch   KEYS[2] counted   KEYS[3] waiters
--
-- The latch is a hash: 'round', the token that it was opened with; 'count', how many count-downs are missing; 'passed',
-- the previous round, if that was at zero when it ended. It expires some time before the key does, so that its waiters
-- still learn of it: 'left' is for how many ms it is still valid, below 0 once it has expired.
--
-- The counted are a sorted set, the tokens of count-downs by server time in ms. They outlast their round: a retried
-- count-down counts once, even if another round has begun meanwhile.
--
-- The waiters are a sorted set, 'store:token' by the time of their latest request, server time in ms.
local remembered = 150000
local an_hour = 3600000
local round, count, passed = unpack(redis.call('HMGET', KEYS[1], 'round', 'count', 'passed'))
local left = redis.call('PTTL', KEYS[1]) - remembered
if not (round and passed and string.match(count or '', '^%d+$')) and redis.call('EXISTS', KEYS[1]) == 1 then
  -- The key comes last: a name may contain a character that ends a reply.
  return redis.error_reply("WRONGTYPE a latch is a hash with 'round', 'passed', and a number as 'count'; "
    .. 'delete it unless another application uses it: ' .. KEYS[1])
end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local function text(number)
  return string.format('%.0f', number)
end
