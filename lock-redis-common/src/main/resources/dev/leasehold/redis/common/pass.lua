-- The end of release.lua and leave.lua: frees a lock, wakes the first waiter that listens, and keeps the
-- lock for it.
--
-- KEYS[1] lock   KEYS[2] waiters
-- ARGV[2] PUBLISH or SPUBLISH  ARGV[3] what channels begin with  ARGV[4] message
-- ARGV[5] '1' if the count of receivers is true, '0' if it counts those of this node alone
-- ARGV[6] for how long it is kept, ms
--
-- Reply: 1 freed; 2 freed and woke a waiter; 3 freed, woke a waiter and keeps the lock for it.
--
-- A waiter is "store:token"; its channel is ARGV[3] and the store. The lock is kept as '+' and the
-- token: nobody's lease, but to everybody else another's lock, so that nobody who is faster gets in
-- before the one who was woken. It has left the line: if it does not come, it costs the others ARGV[6]
-- once. The lock is free even if waking or keeping fails, hence pcall: then waiters find out by asking. So
-- they do if the first hundred are all gone: the server does nothing else meanwhile.
redis.call('DEL', KEYS[1])
for i = 1, 100 do
  local w = redis.pcall('ZPOPMIN', KEYS[2])
  if not w[1] then break end
  local store, token = string.match(w[1], '^([^:]*):?(.*)')
  local n = redis.pcall(ARGV[2], ARGV[3] .. store, ARGV[4])
  if type(n) == 'number' and (n > 0 or ARGV[5] == '0') then
    local kept = redis.pcall('SET', KEYS[1], '+' .. token, 'PX', ARGV[6])
    return kept['ok'] and 3 or 2
  end
end
return 1
