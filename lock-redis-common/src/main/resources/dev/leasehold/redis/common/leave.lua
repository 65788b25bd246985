-- Removes a waiter from the queue, and passes its turn on if the lock is free or reserved for it. Followed by pass.lua.
--
-- KEYS[1] lock   KEYS[2] waiters
-- ARGV[1] waiter  ARGV[2] to ARGV[6] as in pass.lua
--
-- Reply: 0 the lock is another's; else as in pass.lua.
redis.call('ZREM', KEYS[2], ARGV[1])
local v = redis.pcall('GET', KEYS[1])
if v and v ~= '+' .. string.match(ARGV[1], '^[^:]*:?(.*)') then
  return 0
end
