-- The permits of a semaphore on a node of a quorum, which are distinct there: slots. After permits.lua and numbers.lua;
-- it wraps some functions of permits.lua.
--
-- KEYS[5] slots: a hash. 'number': of permits; <i>: the token that has slot i, if it holds; <token>: its slots;
-- f<i>: the last number drawn for slot i   KEYS[6] ends of places
-- ARGV[14] of an acquisition: how many numbers after the fence to set aside for the holder's hand-overs
-- ARGV[15] the fence proposed, or 0   ARGV[16] the slots that the token requests: 'i,j', from 0
--
-- Reply of an acquisition: the fence V; if numbers were requested, V and how many there are; if refused,
-- { -1 - p, slots... }, where nothing changes by itself for p more ms, with the slots that the caller may have now:
-- from its own first one on, at most 64 more than it wants. No other slot is granted instead: a majority has to grant
-- the same.
ends = KEYS[6]
local named = {}
for i in string.gmatch(ARGV[16] or '', '%d+') do named[#named + 1] = i end
stored, whose = redis.call('HGET', KEYS[5], 'number'), KEYS[5] .. " 'number'"
number = permits_in(stored)

local function is_free(slot)
  local token = redis.call('HGET', KEYS[5], slot)
  return not token or token == ARGV[1] or not redis.call('ZSCORE', KEYS[1], '1:' .. token)
end

local function may_take()
  for _, slot in ipairs(named) do
    if not is_free(slot) then return false end
  end
  return true
end

local count_in = hold
local function hold(mode, token, mark, ttl)
  count_in(mode, token, mark, ttl)
  if mark == '' then
    for _, slot in ipairs(named) do
      local dead = redis.call('HGET', KEYS[5], slot)
      if dead then redis.call('HDEL', KEYS[5], dead) end
      redis.call('HSET', KEYS[5], slot, token)
    end
    redis.call('HSET', KEYS[5], token, table.concat(named, ','))
  end
end

local count_out = drop
local given_back = {}
local function drop(mode, token, mark)
  count_out(mode, token, mark)
  if mark == '' then
    for slot in string.gmatch(redis.call('HGET', KEYS[5], token) or '', '%d+') do
      if redis.call('HGET', KEYS[5], slot) == token then redis.call('HDEL', KEYS[5], slot) end
      given_back[#given_back + 1] = slot
    end
    redis.call('HDEL', KEYS[5], token)
  end
end

-- Only if no number was drawn since: a release may arrive late.
local function give_back(used, given)
  for _, slot in ipairs(given_back) do
    if redis.pcall('HGET', KEYS[5], 'f' .. slot) == given then redis.pcall('HSET', KEYS[5], 'f' .. slot, used) end
  end
end

local function refused(mode, waiter, shut)
  local reply = { -1 - no_end_before() }
  if mark_of(mode, waiter) == '+' or (not shut and fits(mode)) then
    for i = 0, number - 1 do
      local slot = (named[1] + i) % number
      if is_free(string.format('%.0f', slot)) then reply[#reply + 1] = slot end
      if #reply > 64 + #named then break end
    end
  end
  return reply
end

-- The last number of all the slots; nil if there is none yet, or one is not a number.
local function last_of(slots)
  local last
  for _, slot in ipairs(slots) do
    local fence = redis.call('HGET', KEYS[5], 'f' .. slot)
    if fence and not last_number(fence) then return nil, true end
    if fence then last = math.max(last or 0, last_number(fence)) end
  end
  return last, last and last >= most
end

-- Ends an acquisition. The data of the slots outlasts the lease by a day.
local function granted(mode, fresh)
  local last, strange = last_of(named)
  if strange then
    if fresh then drop(mode, ARGV[1], '') end
    return redis.error_reply('ERR ' .. KEYS[5] .. ' has no fences')
  end
  local time = clock[1] * 1000000 + clock[2]
  local proposed = not_ahead(tonumber(ARGV[15]), time)
  local asked, v, r = tonumber(ARGV[14]), 0, 0
  if fresh then
    v, r = next_numbers(last, time, proposed, asked)
  else
    v = math.max(last or time, proposed)
  end
  for _, slot in ipairs(named) do
    redis.call('HSET', KEYS[5], 'f' .. slot, fence_text(v + r, 0))
  end
  redis.call('HSET', KEYS[5], 'number', ARGV[5])
  if redis.call('PTTL', KEYS[5]) < ARGV[2] + 86400000 then
    redis.call('PEXPIRE', KEYS[5], string.format('%.0f', ARGV[2] + 86400000))
  end
  if asked > 0 then return { v, r } end
  return v
end
