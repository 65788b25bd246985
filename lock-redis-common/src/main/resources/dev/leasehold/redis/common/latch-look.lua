-- Looks at a latch. After latch.lua.
--
-- ARGV[1] '0': only looks   '1': becomes a waiter, unless it is at zero
-- ARGV[2] "store:token"   (with '1')
--
-- Reply: nil if there is none, nor one that is over and remembered; else its round, how many count-downs are
-- missing, for how many ms it is not over yet (0 or less: it is over since then), and the round that passed before.
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
