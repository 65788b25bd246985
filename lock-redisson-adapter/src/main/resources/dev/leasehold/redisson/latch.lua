-- The data of an RCountDownLatch, for the scripts of latches, and what ours keep beside it.
--
-- KEYS[1] latch: a number, how many count-downs are missing; absent at zero, and if no client opened it
-- KEYS[2] round, ours   KEYS[3] counted, ours
--
-- The count-down that reaches zero deletes the number. Redisson's number has no time to live; ours expires with its
-- round, which distinguishes it from one that Redisson opened.
--
-- The round is a hash: 'round', the token that the latch was opened with; 'passed', the previous round, if that was at
-- zero when it ended; 'missed', how many count-downs were missing if it expired before zero. It expires some time
-- before its key does, and the number stays until then: if it is still there, the latch was not at zero. 'left' is for
-- how many ms it is still valid, below 0 once it has expired.
--
-- The counted are a sorted set, the tokens of our count-downs by server time in ms. They outlast their round: a retried
-- count-down counts once, even if another round has begun meanwhile.
local remembered = 150000
local an_hour = 3600000
local stored = redis.call('GET', KEYS[1])
if stored and not string.match(stored, '^%-?%d+$') then
  return redis.error_reply('WRONGTYPE no number of count-downs is in ' .. KEYS[1])
end
local ends = redis.call('PTTL', KEYS[1])
local round, passed, missed = unpack(redis.call('HMGET', KEYS[2], 'round', 'passed', 'missed'))
local left = redis.call('PTTL', KEYS[2]) - remembered
local theirs = stored and (ends == -1 or not round or missed)
local missing = math.max(0, tonumber(not theirs and missed or stored or '') or 0)

local function text(number)
  return string.format('%.0f', number)
end

-- Whether our latest round, if there was one, was at zero.
local function was_at_zero()
  return round and not missed and (theirs or missing == 0)
end

-- Waiters find out by polling if notifying fails, hence pcall.
local function notify(command, channel, message)
  redis.pcall(command, channel, message)
end
