-- Takes a waiter out of the line; if the lock is free, wakes the first that is left.
--
-- KEYS[1] lock   KEYS[2] waiters
-- ARGV[1] waiter  ARGV[2] to ARGV[5] as in release.lua
--
-- Reply: 1 if a waiter was woken, else 0.
redis.call('ZREM', KEYS[2], ARGV[1])
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end
for i = 1, 100 do -- as in release.lua
  local w = redis.call('ZPOPMIN', KEYS[2])
  if not w[1] then break end
  local n = redis.pcall(ARGV[2], ARGV[3] .. string.match(w[1], '^[^:]*'), ARGV[4])
  if type(n) == 'number' and (n > 0 or ARGV[5] == '0') then
    return 1
  end
end
return 0
