-- Ends one hold of an RReadWriteLock, and notifies the waiters as Redisson's unlock does.
--
-- KEYS[1] lock: a hash, 'mode' -> 'read' or 'write', holder -> hold count   KEYS[2] channel
-- ARGV[1] field: a reader, or a writer with ':write'  ARGV[2] prefix of the keys of ends, as in redisson-look.lua
-- ARGV[3]... PUBLISH, SPUBLISH or both
--
-- Reply: 0 no such hold, nothing was changed; 1 ended; 2 ended, and a client received a message.
--
-- In each process '0' wakes one waiter, '1' all of them.
local count = redis.call('HGET', KEYS[1], ARGV[1])
local mode = redis.call('HGET', KEYS[1], 'mode')
if not count or not mode then return 0 end
for n = 1, math.min(tonumber(count) or 1, 1000) do
  redis.call('DEL', ARGV[2] .. ':' .. ARGV[1] .. ':rwlock_timeout:' .. n)
end
redis.call('HDEL', KEYS[1], ARGV[1])
local longest, others, writer = -2, false, false
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if all[i] ~= 'mode' then
    others = true
    writer = writer or string.sub(all[i], -6) == ':write'
    for n = math.min(tonumber(all[i + 1]) or 0, 100), 1, -1 do
      longest = math.max(longest, redis.call('PTTL', ARGV[2] .. ':' .. all[i] .. ':rwlock_timeout:' .. n))
    end
  end
end
if others and (writer or mode == 'read') then
  -- The lock lasts as long as the longest of those that go on; if one has no end of its own, as it is.
  if longest > 0 and not writer then redis.call('PEXPIRE', KEYS[1], longest) end
  return 1
end
if others then
  redis.call('HSET', KEYS[1], 'mode', 'read')
  if longest > 0 then redis.call('PEXPIRE', KEYS[1], longest) end
else
  redis.call('DEL', KEYS[1])
end
local heard = 0
for i = 3, #ARGV do
  local n = redis.pcall(ARGV[i], KEYS[2], mode == 'write' and '1' or '0')
  if type(n) == 'number' then heard = heard + n end
end
return heard > 0 and 2 or 1
