-- Changes how many permits a semaphore has, and serves the line. After line.lua.
--
-- ARGV[1] from how many  ARGV[2] to how many  ARGV[3] to ARGV[7] as ARGV[9] to ARGV[13] of several-acquire.lua
--
-- Reply: the number that it has now: another one than asked for if it had neither of the two, and then nothing
-- was changed. Nobody loses a permit: what is held beyond a smaller number is waited for.
if strange() then
  return strange()
elseif number and number ~= tonumber(ARGV[1]) and number ~= tonumber(ARGV[2]) then
  return number
end
local left = math.max(0, redis.call('PTTL', KEYS[1]))
number = tonumber(ARGV[2])
redis.call('SET', KEYS[4], ARGV[2], 'PX', string.format('%.0f', left + 86400000))
serve(ways_from(3))
return number
