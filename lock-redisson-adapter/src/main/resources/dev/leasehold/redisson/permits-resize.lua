-- Changes the number of permits of a semaphore, as Redisson's setPermits does. After permits.lua.
--
-- KEYS as in permits.lua
-- ARGV[1] from how many  ARGV[2] to how many  ARGV[3] PUBLISH or SPUBLISH
--
-- Reply: the present number; if it was neither of the two, that number, and nothing was changed. No holder loses a
-- permit: permits held beyond a smaller number are waited for.
local free, held = sweep()
local number = free and free + held
local to = tonumber(ARGV[2])
if number and number ~= tonumber(ARGV[1]) and number ~= to then return number end
redis.call('SET', KEYS[1], string.format('%.0f', to - held), 'KEEPTTL')
-- Waiters queue with the old number: they are notified even if nothing is free, and learn of the new one from their
-- next request. Redisson's own clients take 0 for nothing free, and accept no smaller number.
redis.pcall(ARGV[3], KEYS[3], string.format('%.0f', math.max(0, to - held)))
return to
