-- Reads a latch. After latch.lua.
--
-- ARGV[1] '0': only reads   '1': registers a waiter, unless the latch is at zero
-- ARGV[2] "store:token"   (with '1')
--
-- Reply: nil if there is none, not even an expired one that is remembered; else its round, how many count-downs are
-- missing, for how many ms it is still valid (0 or less: expired since then), and the previous round if that reached
-- zero.
if ARGV[1] == '1' then
  if round and left > 0 and count == '0' then
    redis.call('ZREM', KEYS[3], ARGV[2])
  else
    redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', text(now - remembered))
    redis.call('ZADD', KEYS[3], text(now), ARGV[2])
    redis.call('PEXPIRE', KEYS[3], text(remembered))
  end
end
if not round then return false end
return { round, tonumber(count), left, passed }
