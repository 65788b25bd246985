-- Changes how many permits a semaphore has, as Redisson's setPermits does. After permits.lua.
--
-- KEYS as permits.lua tells
-- ARGV[1] from how many  ARGV[2] to how many  ARGV[3] PUBLISH or SPUBLISH
--
-- Reply: the number that it has now: another one than asked for if it had neither of the two, and then nothing
-- was changed. Nobody loses a permit: what is held beyond a smaller number is waited for.
local free, held = sweep()
local number = free and free + held
local to = tonumber(ARGV[2])
if number and number ~= tonumber(ARGV[1]) and number ~= to then return number end
redis.call('SET', KEYS[1], string.format('%.0f', to - held), 'KEEPTTL')
-- Those who wait do so with the old number: they are told also where nothing is free, and ask once more to learn
-- that. Redisson's own clients take 0 as nothing free, and nothing less.
redis.pcall(ARGV[3], KEYS[3], string.format('%.0f', math.max(0, to - held)))
return to
