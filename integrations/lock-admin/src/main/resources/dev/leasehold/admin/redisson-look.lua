-- Reads one of Redisson's locks. Writes nothing.
--
-- KEYS[1] lock: a hash   KEYS[2] fence   KEYS[3] queue   KEYS[4] fences of a read/write lock
-- ARGV[1] prefix of the keys of ends of a read/write lock's holds: ARGV[1]:<holder>:rwlock_timeout:<count>
-- ARGV[2] the most holds to list  ARGV[3] the most waiters
--
-- Reply: nil if there is none, or a string, as of a semaphore or a latch; the key if it is of another type; the number
-- of fields if they are more than the most holds to list; else { time to live in ms, fence, { fence, wfence }, number
-- of waiters, { waiter, ... }, { field, value, time to live, ... } }. A field's time to live is its own where it has
-- one, else the lock's.
local kind = redis.call('TYPE', KEYS[1])
if kind['ok'] == 'none' or kind['ok'] == 'string' then return false end
if kind['ok'] ~= 'hash' then return KEYS[1] end
local count = redis.call('HLEN', KEYS[1])
if count > tonumber(ARGV[2]) + 1 then return count end

local function ask(...)
  local reply = redis.pcall(...)
  if type(reply) == 'table' and reply['err'] then return false end
  return reply
end

local whole = redis.call('PTTL', KEYS[1])
local all = redis.call('HGETALL', KEYS[1])
local fields = {}
for i = 1, #all, 2 do
  local left
  for n = math.min(tonumber(all[i + 1]) or 0, 100), 1, -1 do
    local own = ask('PTTL', ARGV[1] .. ':' .. all[i] .. ':rwlock_timeout:' .. n)
    if own and own ~= -2 then left = math.max(left or own, own) end
  end
  fields[#fields + 1] = all[i]
  fields[#fields + 1] = all[i + 1]
  fields[#fields + 1] = left or whole
end
local waiting = ask('LLEN', KEYS[3]) or 0
local line = waiting > 0 and tonumber(ARGV[3]) > 0 and ask('LRANGE', KEYS[3], 0, ARGV[3] - 1) or {}
return { whole, ask('GET', KEYS[2]), ask('HMGET', KEYS[4], 'fence', 'wfence'), waiting, line, fields }
