-- Counts the permits of a semaphore on a node of a quorum, and those held. Writes nothing.
--
-- KEYS[1] holders   KEYS[5] slots   (as in permits.lua and slots.lua)
--
-- Reply: { number, held }; both 0 if the name is not in use.
local clock = redis.call('TIME')
local now = string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000))
local number = redis.call('HGET', KEYS[5], 'number')
if number and not string.match(number, '^[1-9]%d?%d?%d?%d?$') then
  return redis.error_reply('WRONGTYPE no number of permits is in ' .. KEYS[5] .. " 'number'")
end
return { tonumber(number or 0), redis.call('ZCOUNT', KEYS[1], '(' .. now, '+inf') }
