-- Acquires permits of a semaphore, all or none. After permits.lua.
--
-- KEYS as in permits.lua
-- ARGV[1] token  ARGV[2] time to live, ms  ARGV[3] how many are wanted  ARGV[4] how many the name has
-- ARGV[5] '1': waits, and may hold the door  ARGV[6] PUBLISH or SPUBLISH
--
-- Reply: 1 granted; -1 - p if refused, where nothing changes by itself for p more ms; { 0, number } if the name has
-- another number of permits. A token that already has its permits keeps the later of the two ends.
local token, wanted, of = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local ends = now + ARGV[2] + apart
local mine = permits_of(token)
if mine[1] then
  for _, id in ipairs(mine) do
    -- At least a ms later, so that WAIT has a write to wait for: a ZADD that changes nothing is not replicated.
    local later = math.max(redis.call('ZSCORE', KEYS[2], id) + 1, ends)
    redis.call('ZADD', KEYS[2], string.format('%.0f', later), id)
  end
  return 1
end
local free, held, soonest = sweep()
if free and free + held ~= of then return { 0, free + held } end
if not free then free = of - held end
local door = redis.call('GET', KEYS[4])
local shut = door and door ~= token
if shut or free < wanted then
  if ARGV[5] == '1' and wanted > 1 and not shut then redis.call('SET', KEYS[4], token, 'PX', 2500) end
  if shut then soonest = math.min(soonest, math.max(0, redis.call('PTTL', KEYS[4]))) end
  return -1 - (soonest < 9000000000000 and math.max(0, soonest) or 1000)
end
redis.call('SET', KEYS[1], string.format('%.0f', free - wanted), 'KEEPTTL')
for i = 1, wanted do redis.call('ZADD', KEYS[2], string.format('%.0f', ends), i .. ':' .. token) end
-- As Redisson does if the semaphore was given a time to live.
local ttl = redis.call('PTTL', KEYS[1])
if ttl > 0 then redis.call('PEXPIRE', KEYS[2], ttl) end
if door then redis.call('DEL', KEYS[4]) end
-- Waiters that found the door shut, or slept while permits expired, may go on.
if door or free - wanted > 0 then notify(ARGV[6], free - wanted) end
return 1
