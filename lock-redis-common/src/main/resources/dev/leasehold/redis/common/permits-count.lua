-- Counts the permits of a semaphore, and those held.
--
-- KEYS[1] holders   KEYS[4] number of permits   (as in permits.lua)
--
-- Reply: number of permits (0: the name is not in use), and how many are held or reserved. Writes nothing.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local held = redis.call('ZCOUNT', KEYS[1], '(' .. string.format('%.0f', now), '+inf')
local number = redis.call('GET', KEYS[4])
if number and not string.match(number, '^[1-9]%d?%d?%d?%d?%d?%d?$') then
  return redis.error_reply('WRONGTYPE no number of permits is in ' .. KEYS[4])
end
return { tonumber(number or 0), held }
