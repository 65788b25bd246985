-- Reads all that is kept under one name, of every kind. Writes nothing.
--
-- KEYS[1] lock  KEYS[2] its fence  KEYS[3] its waiters
-- KEYS[4] readers  KEYS[5] writer  KEYS[6] their fences  KEYS[7] their waiters
-- KEYS[8] permits  KEYS[9] their number  KEYS[10] their waiters
-- KEYS[11] slots  KEYS[12] slots of tokens  KEYS[13] their waiters
-- KEYS[14] latch  KEYS[15] its waiters
-- ARGV[1] the most holds of a kind to list  ARGV[2] the most waiters
--
-- Reply: the server's time in microseconds, and
--   { value, time to live in ms, fence, line }
--   { writer, time to live, { fence, wfence }, holders, line }
--   { number, holders, line }
--   { number, holders, line, { token, its slots, the last number of the first, ... } }
--   { count, time to live, line }
--   { a key of another type, ... }
-- with a line { count, { waiter, place, ... } } and holders { count, { member, end in ms, ... } }.
--
-- What another program keeps in a key of that name, with another type, is not a lock: only its key is listed.
local clock = redis.call('TIME')
local after = string.format('(%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
local most_holds, most_waiters = tonumber(ARGV[1]), tonumber(ARGV[2])

local others = {}

local function ask(command, key, ...)
  local reply = redis.pcall(command, key, ...)
  if type(reply) == 'table' and reply['err'] then
    if string.find(reply['err'], 'WRONGTYPE', 1, true) then others[#others + 1] = key end
    return false
  end
  return reply
end

local function line(key)
  local count = ask('ZCARD', key) or 0
  if count == 0 or most_waiters == 0 then return { count, {} } end
  return { count, ask('ZRANGE', key, 0, most_waiters - 1, 'WITHSCORES') }
end

local function holders(key)
  local count = ask('ZCOUNT', key, after, '+inf') or 0
  if count == 0 then return { 0, {} } end
  return { count, ask('ZREVRANGEBYSCORE', key, '+inf', after, 'WITHSCORES', 'LIMIT', 0, most_holds) }
end

local slots = holders(KEYS[11])
local of = {}
for i = 1, #slots[2], 2 do
  local token = string.match(slots[2][i], '^1:(.*)')
  local has = token and ask('HGET', KEYS[12], token)
  local first = has and string.match(has, '^%d+')
  if first then
    of[#of + 1] = token
    of[#of + 1] = has
    of[#of + 1] = ask('HGET', KEYS[12], 'f' .. first) or ''
  end
end

return {
  clock[1] * 1000000 + clock[2],
  { ask('GET', KEYS[1]), ask('PTTL', KEYS[1]), ask('GET', KEYS[2]), line(KEYS[3]) },
  {
    ask('GET', KEYS[5]), ask('PTTL', KEYS[5]), ask('HMGET', KEYS[6], 'fence', 'wfence'), holders(KEYS[4]),
    line(KEYS[7])
  },
  { ask('GET', KEYS[9]), holders(KEYS[8]), line(KEYS[10]) },
  { ask('HGET', KEYS[12], 'number'), slots, line(KEYS[13]), of },
  { ask('HGET', KEYS[14], 'count'), ask('PTTL', KEYS[14]), line(KEYS[15]) },
  others
}
