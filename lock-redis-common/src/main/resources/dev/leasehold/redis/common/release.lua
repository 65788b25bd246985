-- Frees a lock if the token has it, and wakes the first waiter that listens.
--
-- KEYS[1] lock   KEYS[2] waiters
-- ARGV[1] token  ARGV[2] PUBLISH or SPUBLISH  ARGV[3] what channels begin with  ARGV[4] message
-- ARGV[5] '1' if the count of receivers is true, '0' if it counts those of this node alone
--
-- Reply: 0 not the token's, nothing was changed; 1 freed; 2 freed and woke a waiter.
--
-- A waiter is "store:token"; its channel is ARGV[3] and the store. The lock is free even if waking
-- fails, hence pcall: then waiters find out by asking. So they do if the first hundred are all gone:
-- the server does nothing else meanwhile.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('DEL', KEYS[1])
for i = 1, 100 do
  local w = redis.pcall('ZPOPMIN', KEYS[2])
  if not w[1] then break end
  local n = redis.pcall(ARGV[2], ARGV[3] .. string.match(w[1], '^[^:]*'), ARGV[4])
  if type(n) == 'number' and (n > 0 or ARGV[5] == '0') then
    return 2
  end
end
return 1
