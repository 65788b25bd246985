-- Releases some of a token's permits, and serves the queue. After line.lua.
--
-- ARGV[1] token  ARGV[2] how many it keeps, 1 or more  ARGV[3] to ARGV[7] as ARGV[9] to ARGV[13] of
-- several-acquire.lua
--
-- Reply: 0 not the token's; 1 released, now or before; 3 the same, and a share is reserved for a waiter that was woken.
-- Expired entries are removed, and the queue is served, in any case.
local mine = mark_of(1, ARGV[1]) == ''
local i = ARGV[2] + 1
while mine and redis.call('ZREM', KEYS[1], string.format('%.0f:', i) .. ARGV[1]) == 1 do i = i + 1 end
local woke = serve(ways_from(3))
return not mine and 0 or woke > 0 and 3 or 1
