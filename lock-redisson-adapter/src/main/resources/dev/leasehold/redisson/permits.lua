-- The data of an RPermitExpirableSemaphore, for the scripts that follow.
--
-- KEYS[1] how many permits are free: a number, which stays when all are free
-- KEYS[2] holds: a sorted set by their ends, ms since 1970
-- KEYS[3] channel   KEYS[4] door, ours
--
-- A plain permit is 16 bytes, and ends by its client's clock; ours are 'i:token', i from 1, and end by the server's. So
-- that no permit is freed too soon while clocks differ by up to a second (apart), ours are stored with an end that much
-- later, and a plain one is taken for expired that much later.
--
-- The first of our waiters that wants more than one permit and finds too few holds the door: no other of ours gets in
-- before it, and freed permits accumulate. Each of its requests takes the door for 2.5 s.
local stored = redis.call('GET', KEYS[1])
if stored and not string.match(stored, '^%-?%d+$') then
  return redis.error_reply('WRONGTYPE no number of permits is in ' .. KEYS[1])
end
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local apart = 1000

-- For how many ms a hold is still valid.
local function left(id, ends)
  return ends - now + (#id == 16 and apart or -apart)
end

-- The ids of a token's permits that have not expired.
local function permits_of(token)
  local ids = {}
  while true do
    local id = (#ids + 1) .. ':' .. token
    local ends = redis.call('ZSCORE', KEYS[2], id)
    if not ends or left(id, tonumber(ends)) <= 0 then return ids end
    ids[#ids + 1] = id
  end
end

-- Frees the permits whose holds have expired. Returns how many are free, false if the name is not in use; how many are
-- held; and for how many ms that stays so.
local function sweep()
  local soonest, gone = math.huge, 0
  local ids = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now + apart), 'WITHSCORES')
  for i = 1, #ids, 2 do
    local rest = left(ids[i], tonumber(ids[i + 1]))
    if rest <= 0 then
      redis.call('ZREM', KEYS[2], ids[i])
      gone = gone + 1
    else
      soonest = math.min(soonest, rest)
    end
  end
  local free = tonumber(redis.call('GET', KEYS[1]) or '')
  if gone > 0 and free then
    free = free + gone
    redis.call('INCRBY', KEYS[1], gone)
  end
  if soonest == math.huge then
    local next = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
    if next[2] then soonest = left(next[1], tonumber(next[2])) end
  end
  return free or false, redis.call('ZCARD', KEYS[2]), soonest
end

-- Notifies the waiters how many permits are free. They find out by polling if that fails, hence pcall.
local function notify(command, free)
  if free <= 0 then return 0 end
  local n = redis.pcall(command, KEYS[3], string.format('%.0f', free))
  return type(n) == 'number' and n or 0
end
