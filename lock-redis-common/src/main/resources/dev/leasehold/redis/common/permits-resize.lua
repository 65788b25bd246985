-- Changes the number of permits of a semaphore, and notifies the waiters. After line.lua.
--
-- ARGV[1] from how many  ARGV[2] to how many  ARGV[3] to ARGV[7] as ARGV[9] to ARGV[13] of several-acquire.lua
--
-- Reply: the present number; if it was neither of the two, that number, and nothing was changed. No holder loses a
-- permit: permits held beyond a smaller number are waited for. Waiters queue with the old number: they are notified,
-- and learn of the new one from their next request; at most a thousand, for the reason given in several-renew.lua.
if strange() then
  return strange()
elseif number and number ~= tonumber(ARGV[1]) and number ~= tonumber(ARGV[2]) then
  return number
end
local changed = number and number ~= tonumber(ARGV[2])
local left = math.max(0, redis.call('PTTL', KEYS[1]))
number = tonumber(ARGV[2])
redis.call('SET', KEYS[4], ARGV[2], 'PX', string.format('%.0f', left + 86400000))
if changed then
  local ways = ways_from(3)
  for _, w in ipairs(redis.call('ZRANGE', KEYS[2], 0, 999)) do
    redis.pcall(ways.command, ways.prefix .. string.match(w, '^%w+ ([^:]*)'), ways.message)
  end
  redis.call('DEL', KEYS[2], KEYS[3])
end
return number
