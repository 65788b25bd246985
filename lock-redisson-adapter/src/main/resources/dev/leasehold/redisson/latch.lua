-- What an RCountDownLatch is, to the scripts of latches, and what ours keep beside it.
--
-- KEYS[1] latch: a number, how many count-downs are missing; there is none at zero, nor where nobody opened it
-- KEYS[2] round, ours   KEYS[3] counted, ours
--
-- Whoever brings it to zero deletes the number. Redisson's has no end; ours goes with its round, and so is told
-- from one that was opened by theirs.
--
-- The round is a hash: 'round', the token that the latch was opened with; 'passed', the round before, if that was
-- at zero when it ended; 'missed', how many count-downs were missing if it was over before zero. It is over some
-- time before its key ends, and the number stays until then: if it is still there, it was not at zero. 'left' is
-- for how many ms it is not over yet, below 0 if it is.
--
-- The counted are a sorted set, the tokens of our count-downs by server time in ms. They outlast their round: a
-- request that is repeated counts once, also if another round has begun meanwhile.
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

-- Whether our latest round was at zero, if there was one.
local function was_at_zero()
  return round and not missed and (theirs or missing == 0)
end

-- Those who wait find out by asking if telling fails, hence pcall.
local function tell(command, channel, message)
  redis.pcall(command, channel, message)
end
